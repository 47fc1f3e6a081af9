{-# LANGUAGE LambdaCase #-}
module Shop.Cart (total, Item(..), Priced) where

import qualified Data.Map as Map
import Data.List (foldl')

-- | What people buy.
data Item = Item { price :: Double, name :: String }
  | Nothing'
  deriving (Show)

newtype Money = Money Int
type Name = String

class Priced a where
  -- | What it costs.
  priceOf :: a -> Double
  priceOf _ = limit

instance Priced Item where
  priceOf = price

limit :: Double
limit = 10

-- | Adds up.
total :: [Item] -> Double
total [] = 0
total (item : rest) = helper item + total rest
  where
    helper x = price x

hidden x = case x of
  Just y -> y
  _ -> limit
