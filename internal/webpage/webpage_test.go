package webpage

import "testing"

// The digest of the empty text is well known.
const empty = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"

func TestPolicy(t *testing.T) {
	const closed = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
	if got, want := Policy([]string{"", ""}), closed+"style-src "+empty; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	const other = "'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='" // of "a"
	if got, want := Policy([]string{"", "a"}, ""), closed+"style-src "+empty+" "+other+"; script-src "+empty; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
