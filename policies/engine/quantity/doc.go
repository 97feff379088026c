// Package quantity holds the Rego quantities to resource.ParseQuantity: a fixed list, generated and random texts
// and a fuzz target, compared exactly.
package quantity
