library(stats)
require("utils")
source("lib.R")

LIMIT <- 10
hidden = 1

#' Adds up.
#' @export
total <- function(items, rate = 1.0) {
  inner <- function(x) x
  sum(vapply(items, price, numeric(1))) * rate
}

twice = function(x) x * 2
5 -> five
short <- \(x) x + 1

setClass("Cart", representation(name = "character"))
setMethod("show", "Cart", function(object) cat(object@name))
Stack <- R6Class("Stack", public = list(
  items = NULL,
  push = function(x) {
    self$items <- c(self$items, x)
  }
))
