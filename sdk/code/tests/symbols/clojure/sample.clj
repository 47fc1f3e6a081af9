(ns shop.cart
  (:require [clojure.string :as str]))

(def ^:private limit 10)

(defrecord Item [price])

(defprotocol Priced
  (price-of [this]))

(defn total
  "Adds up."
  [items & {:keys [rate]}]
  (reduce + (map :price items))) ; (defn commented [])

(defn- hidden [x] (total x))

;; Only for tests.
(defmacro with-cart [& body]
  `(do ~@body))

(defmulti shape :kind)
(defmethod shape :square [s] (str "(defn fake [])" s))
