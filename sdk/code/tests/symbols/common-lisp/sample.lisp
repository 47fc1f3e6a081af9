(defpackage :shop
  (:use :cl))
(in-package :shop)

;;; What people buy.
(defstruct (item (:copier nil))
  price)

(defclass cart ()
  ((items :initform '())))

(defparameter *limit* 10)

(defun total (cart &optional (rate 1.0))
  "Adds up; (defun fake ()) is only text."
  (let ((sum 0)) ; (defun commented ())
    (dolist (it (items cart) sum)
      (incf sum (* rate (price it) #\)))))

#| (defun gone ()) |#
(defmacro with-cart ((name) &body body)
  `(let ((,name (make-cart))) ,@body))
(defmethod describe-it ((c cart)) (total c))
