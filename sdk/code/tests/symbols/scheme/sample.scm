#!r6rs
(import (rnrs base))

;; Adds up.
(define (total items rate)
  (let loop ((rest items) (sum 0))
    (if (null? rest) sum (loop (cdr rest) (+ sum (price-of (car rest)))))))

(define limit 10)
(define helper
  (lambda (x) "(define fake 1)"))
(define twice (lambda (x) (* 2 x)))

(define-record-type item (fields price))
(define-syntax swap!
  (syntax-rules () ((_ a b) (let ((t a)) (set! a b) (set! b t)))))
