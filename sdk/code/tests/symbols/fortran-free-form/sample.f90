! Geometry of points.
module geometry
  use iso_fortran_env, only: real64
  implicit none
  integer, parameter :: dims = 3

  ! A point in space.
  type, public :: point
    real :: x, y
  contains
    procedure :: norm => point_norm
  end type point

  interface add
    module procedure add_points
  end interface
contains
  ! How long it is.
  pure function point_norm(self) result(length)
    class(point), intent(in) :: self
    real :: length
    if (self%x > 0) then
      length = sqrt(self%x**2)
    end if
  end function point_norm

SUBROUTINE Add_Points(a, b)
  type(point) :: a, b
  print *, "function fake(x)"
END SUBROUTINE
end module geometry

program main
  use geometry
  call add_points(p, q)
end program main
