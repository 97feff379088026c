package reading

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// The layout of /tmp/hsperfdata_USER/PID, version 2.0, which every HotSpot since Java 1.4.2
// writes (perfMemory.hpp): a prologue, then entries with a name and a value each.
const (
	perfMagic      = 0xcafec0c0
	prologueLength = 32
	entryLength    = 20
	mostEntries    = 10_000 // a JVM has some hundred
)

// PerfData turns the file in which a JVM keeps its counters into what PerfCounter.print prints,
// as far as it is read here: others hold the command line and system properties.
func PerfData(data []byte) (string, error) {
	if len(data) < prologueLength || binary.BigEndian.Uint32(data) != perfMagic {
		return "", errors.New("it is not a file of HotSpot's counters (hsperfdata)")
	}
	var order binary.ByteOrder = binary.BigEndian
	if data[4] == 1 {
		order = binary.LittleEndian
	}
	if data[5] != 2 {
		return "", fmt.Errorf("headroom does not read version %d.%d of HotSpot's counters", data[5], data[6])
	}
	at, entries := int64(order.Uint32(data[24:])), order.Uint32(data[28:])
	var b strings.Builder
	version := ""
	for range min(entries, mostEntries) {
		if at < prologueLength || at+entryLength > int64(len(data)) {
			return "", errors.New("it is cut off, or the JVM was writing it: read it again")
		}
		entry := data[at:]
		length := int64(order.Uint32(entry))
		if length < entryLength || length > int64(len(entry)) {
			return "", errors.New("it is cut off, or the JVM was writing it: read it again")
		}
		if line := perfEntry(entry[:length], order); perfLine.MatchString(line) {
			b.WriteString(line + "\n")
		} else if versionLine.MatchString(line) {
			version = line + "\n"
		}
		at += length
	}
	if b.Len() == 0 {
		return "", errors.New("it has no counter of the garbage collector")
	}
	return b.String() + version, nil
}

// perfEntry is NAME=VALUE, "" for what is neither a long nor a string.
func perfEntry(entry []byte, order binary.ByteOrder) string {
	name := text(entry, order.Uint32(entry[4:]))
	length, kind, value := order.Uint32(entry[8:]), entry[12], int64(order.Uint32(entry[16:]))
	switch {
	case kind == 'J' && length == 0 && value+8 <= int64(len(entry)):
		return fmt.Sprintf("%s=%d", name, int64(order.Uint64(entry[value:]))) //nolint:gosec // a Java long
	case kind == 'B' && length > 0:
		return fmt.Sprintf("%s=%q", name, text(entry, order.Uint32(entry[16:])))
	}
	return ""
}

// text is the zero-terminated text at an offset.
func text(entry []byte, at uint32) string {
	if int64(at) >= int64(len(entry)) {
		return ""
	}
	value, _, _ := bytes.Cut(entry[at:], []byte{0})
	return string(value)
}
