package measure

// Lack is a lasting error: Prometheus has no such series, so another try fails as well.
type Lack string

func (l Lack) Error() string { return string(l) }

// Lacks splits an error of Namespace into what Prometheus lacks, and what failed.
func Lacks(err error) (lacks []string, failed []error) {
	switch e := err.(type) { //nolint:errorlint // errors.As would find a Lack inside a failure, which then were none
	case nil:
	case Lack:
		lacks = []string{string(e)}
	case interface{ Unwrap() []error }:
		for _, part := range e.Unwrap() {
			more, also := Lacks(part)
			lacks, failed = append(lacks, more...), append(failed, also...)
		}
	default:
		failed = []error{err}
	}
	return lacks, failed
}
