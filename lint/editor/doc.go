// Package editor is a language server: it tells an editor, while somebody types, what headroom lint would say of the
// file. It speaks the Language Server Protocol 3.17 over one stream.
//
// Files are judged by lint.Folder, with all that stands beside them in the folder. This package keeps what the editor
// has open, and puts findings, fixes and explanations into the protocol's words. It decides nothing.
package editor
