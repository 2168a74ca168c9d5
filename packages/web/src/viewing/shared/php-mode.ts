// PHP syntax highlighting: its words in the frame of the languages like C.
import { clike } from '@codemirror/legacy-modes/mode/clike'

const words = (text: string): Record<string, boolean> =>
  Object.fromEntries(text.split(' ').map((word) => [word, true] as const))

export const php = clike({
  name: 'php',
  keywords: words(
    'abstract as break case catch class clone const continue declare default do echo else elseif extends final finally ' +
      'fn for foreach function global goto if implements instanceof insteadof interface match namespace new print ' +
      'private protected public readonly return static switch throw trait try use var while yield include require',
  ),
  blockKeywords: words('catch do else elseif for foreach if switch try while finally'),
  atoms: words('true false null TRUE FALSE NULL'),
  multiLineStrings: true,
  hooks: {
    $(stream: { eatWhile(of: RegExp): unknown }) {
      stream.eatWhile(/[\w$]/)
      return 'variable'
    },
    '#'(stream: { skipToEnd(): void }) {
      stream.skipToEnd()
      return 'comment'
    },
  },
})
