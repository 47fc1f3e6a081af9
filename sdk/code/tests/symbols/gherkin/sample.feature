# What people buy.
@shop
Feature: Carts
  Background:
    Given a shop

  @slow
  Scenario: Adding up
    When the cart has 2 items
    Then the total is 3

  Scenario Outline: Prices <n>
    Then the price is <n>
