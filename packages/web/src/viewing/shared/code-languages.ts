// The languages with syntax highlighting, for viewer, print and editor. Each is loaded when a text needs it.
import type { StreamParser } from '@codemirror/language'

/** A parser that colours text line by line. */
export type CodeParser = StreamParser<unknown>

/** By the extensions of their files. */
const languages: Readonly<Record<string, () => Promise<CodeParser>>> = {
  'js mjs cjs jsx': async () => (await import('@codemirror/legacy-modes/mode/javascript')).javascript,
  'ts tsx': async () => (await import('@codemirror/legacy-modes/mode/javascript')).typescript,
  'json jsonl': async () => (await import('@codemirror/legacy-modes/mode/javascript')).json,
  'xml svg': async () => (await import('@codemirror/legacy-modes/mode/xml')).xml,
  'html htm vue': async () => (await import('@codemirror/legacy-modes/mode/xml')).html,
  'css scss less': async () => (await import('@codemirror/legacy-modes/mode/css')).css,
  py: async () => (await import('@codemirror/legacy-modes/mode/python')).python,
  'c h': async () => (await import('@codemirror/legacy-modes/mode/clike')).c,
  'cpp hpp': async () => (await import('@codemirror/legacy-modes/mode/clike')).cpp,
  java: async () => (await import('@codemirror/legacy-modes/mode/clike')).java,
  kt: async () => (await import('@codemirror/legacy-modes/mode/clike')).kotlin,
  cs: async () => (await import('@codemirror/legacy-modes/mode/clike')).csharp,
  swift: async () => (await import('@codemirror/legacy-modes/mode/swift')).swift,
  php: async () => (await import('./php-mode.ts')).php,
  go: async () => (await import('@codemirror/legacy-modes/mode/go')).go,
  rs: async () => (await import('@codemirror/legacy-modes/mode/rust')).rust,
  rb: async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby,
  'sh bat cmd': async () => (await import('@codemirror/legacy-modes/mode/shell')).shell,
  ps1: async () => (await import('@codemirror/legacy-modes/mode/powershell')).powerShell,
  sql: async () => (await import('@codemirror/legacy-modes/mode/sql')).standardSQL,
  'yml yaml': async () => (await import('@codemirror/legacy-modes/mode/yaml')).yaml,
  toml: async () => (await import('@codemirror/legacy-modes/mode/toml')).toml,
  'ini conf cfg properties env': async () => (await import('@codemirror/legacy-modes/mode/properties')).properties,
  'md markdown': async () => (await import('./markdown-mode.ts')).markdown,
  dockerfile: async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile,
  tex: async () => (await import('@codemirror/legacy-modes/mode/stex')).stex,
  'diff patch': async () => (await import('@codemirror/legacy-modes/mode/diff')).diff,
}

/** The parser for files with an extension; undefined if there is none, or if it cannot be loaded. */
export async function loadLanguage(ext: string): Promise<CodeParser | undefined> {
  const load = Object.entries(languages).find(([exts]) => exts.split(' ').includes(ext))?.[1]
  // Without syntax highlighting the text is still usable.
  return load?.().catch(() => undefined)
}
