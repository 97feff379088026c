package quantity

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/search"
)

var (
	signs     = []string{"", "+", "-"}
	mantissas = []string{
		"", ".", "0", "00", "0.", ".0", "0.0", "1", "5.", ".5", "007", "007.50", "9", "10", "999", "1000", "1001", "1024",
		"0.1", "0.25", "0.001", "0.0001", "1.5", "2.75", "1.001", "99.999", "0.000000001", "0.0000000001", "1.0000000001",
		"0.00000000000000001", "123456789.123456789", "999999999", "9999999999", "999999999999999999",
		"1000000000000000000", "9007199254740993", "9223372036854775807", "9223372036854775808", "9223372036854775.807",
		"9223372036854775.8071", "18446744073709551617", "99999999999999999999999999", "1.2.3", "1_0", "0x1", "1 2", "١",
	}
	suffixes = []string{
		"", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei",
		"K", "g", "mi", "gi", "MB", "KiB", "i", "ki", "mm", "Mi1", "k3", "e", "e+", "E-", "ee3", "eE3", "+3", "e1.5", "e3m",
	}
	exponents = []string{
		"0", "1", "3", "8", "9", "10", "12", "17", "18", "19", "20", "99", "0018", "00000000000000", "999999999",
	}
)

// TestCombinations crosses every sign, mantissa and unit, exponents counting as units.
func TestCombinations(t *testing.T) {
	units := suffixes
	for _, exponent := range exponents {
		for _, mark := range []string{"e", "E", "e+", "e-", "E-"} {
			units = append(units, mark+exponent)
		}
	}
	values := make([]any, 0, len(signs)*len(mantissas)*len(units))
	for _, sign := range signs {
		for _, mantissa := range mantissas {
			for _, unit := range units {
				values = append(values, sign+mantissa+unit)
			}
		}
	}
	compareAll(t, values)
}

// TestCommonForms runs the texts of real manifests, where the fast ways answer, over their boundaries.
func TestCommonForms(t *testing.T) {
	wholes := []int{0, 1, 2, 10, 99, 100, 512, 1000, 1023, 1024, 1536, 999_999, 1_000_000, 999_999_999, 1_000_000_000}
	fractions := []string{"", ".", ".0", ".1", ".5", ".25", ".75", ".50", ".125", ".005", ".1234"}
	values := make([]any, 0, 2*len(wholes)*len(fractions)*len(suffixes))
	for _, whole := range wholes {
		for _, fraction := range fractions {
			for _, unit := range suffixes {
				values = append(values, fmt.Sprint(whole, fraction, unit), fmt.Sprint(" ", whole, fraction, unit, " "))
			}
		}
	}
	compareAll(t, values)
}

// TestRandomTexts draws texts that are nearly quantities. FuzzQuantity draws others.
func TestRandomTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(search.Seed(t, 1), 2))
	values := make([]any, 0, search.Rounds(100_000))
	for range cap(values) {
		values = append(values, randomText(random))
	}
	compareAll(t, values)
}

func compareAll(t *testing.T, values []any) {
	t.Helper()
	accepted := 0
	for i, got := range judge(t, prepare(t, verdictQuery), values) {
		compare(t, values[i], got)
		if got.Parse.OK {
			accepted++
		}
	}
	t.Logf("%d texts, %d of them quantities", len(values), accepted)
	if accepted < len(values)/10 {
		t.Errorf("only %d of %d texts are quantities: the test shows little", accepted, len(values))
	}
}

// randomText is a sign, digits and a unit, each of random length, now and then with a stray character.
func randomText(random *rand.Rand) string {
	var text strings.Builder
	text.WriteString(signs[random.IntN(len(signs))])
	digits(&text, random, random.IntN(14))
	if random.IntN(2) == 0 {
		text.WriteByte('.')
		digits(&text, random, random.IntN(14))
	}
	switch random.IntN(4) {
	case 0:
		text.WriteString([]string{"e", "E", "e-", "E+"}[random.IntN(4)])
		fmt.Fprint(&text, random.IntN(21))
	default:
		text.WriteString(suffixes[random.IntN(17)])
	}
	if random.IntN(5) > 0 {
		return text.String()
	}
	const alphabet = "0123456789.+-eEinumkKMGTP \t"
	at := random.IntN(text.Len() + 1)
	return text.String()[:at] + string(alphabet[random.IntN(len(alphabet))]) + text.String()[at:]
}

func digits(text *strings.Builder, random *rand.Rand, n int) {
	for range n {
		text.WriteByte("00123456789"[random.IntN(11)])
	}
}
