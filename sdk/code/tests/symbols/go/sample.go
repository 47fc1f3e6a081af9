// Package shop sells things.
package shop

import (
	"fmt"
	str "strings"
)

// Limit is how many fit.
const Limit = 10

const (
	Open State = iota
	// closed is over.
	closed
)

var ErrFull, errEmpty = fmt.Errorf("full"), fmt.Errorf("empty")

// State of a cart.
type State int

// Item is what can be sold,
// for a price.
type Item interface {
	Price(rate float64) float64
	fmt.Stringer
}

type (
	// Cart holds items.
	Cart[T Item] struct {
		Items []T `json:"items"`
		total float64
		*Store
	}
	Key = string
)

// New makes a cart.
func New[T Item](items ...T) *Cart[T] {
	cart := &Cart[T]{Items: items}
	for _, item := range items {
		cart.add(item)
	}
	return cart
}

// Add puts one in.
func (c *Cart[T]) Add(item T, price float64) (err error) {
	if len(c.Items) >= Limit {
		return ErrFull
	}
	defer func() { err = check(item, "Limit") }()
	c.total += item.Price(price)
	return nil
}

func (s State) String() string { return str.ToUpper(fmt.Sprint(int(s))) }

var handler = func(name string) { fmt.Println(name) }

func check(value any, name string) error {
	type local struct{ Field int }
	switch found := value.(type) {
	case error:
		return found
	}
	const inside = 3
	return nil
}
