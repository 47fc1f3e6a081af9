.include "macros.inc"
.equ LIMIT, 10
	.globl total
# Adds up.
total:
	movl $0, %eax
	jmp done	# total: again
.Llocal:
	ret
done:
	ret
.macro twice reg
	add \reg, \reg
.endm
message: .asciz "fake: text"
