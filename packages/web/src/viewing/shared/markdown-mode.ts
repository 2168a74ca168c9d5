// The Markdown mode of the text editor: highlights headings, emphasis, code, links, lists and quotes.
import type { StreamParser } from '@codemirror/language'
import { tags } from '@lezer/highlight'

interface State {
  /** The fence that ends the current code block; empty outside of one. */
  fence: string
}

const marks: readonly (readonly [RegExp, string])[] = [
  [/^\\[\\`*_{}[\]()#+.!|~>-]/, ''],
  [/^(`+)(?!`).*?[^`]\1(?!`)/, 'code'],
  [/^(\*\*|__)(?=\S).*?\S\1/, 'strong'],
  [/^\*(?=[^\s*]).*?[^\s*]\*(?!\*)/, 'emphasised'],
  [/^!?\[[^\]]*\]\([^)\s]*(?:\s+"[^"]*")?\)/, 'link'],
  [/^<?https?:\/\/[^\s>]+>?/, 'link'],
]

export const markdown: StreamParser<State> = {
  name: 'markdown',
  startState: () => ({ fence: '' }),
  copyState: (state) => ({ ...state }),
  token(stream, within) {
    if (stream.sol()) {
      const [fence = ''] = /^ {0,3}(?:`{3,}|~{3,})/.exec(stream.string) ?? []
      if (within.fence !== '' || fence !== '') {
        const mark = fence.trim()
        if (within.fence === '') within.fence = mark
        else if (mark.startsWith(within.fence)) within.fence = ''
        stream.skipToEnd()
        return 'code'
      }
      if (stream.match(/^ {0,3}#{1,6}(?:\s.*|$)/)) return 'title'
      if (stream.match(/^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/)) return 'mark'
      if (stream.match(/^\s*>\s?/)) return 'mark'
      if (stream.match(/^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s)?/)) return 'mark'
    }
    for (const [pattern, name] of marks) if (stream.match(pattern)) return name === '' ? null : name
    if (stream.eat('|')) return 'mark'
    stream.next()
    stream.eatWhile(/[^\\`*_![<h|]/)
    return null
  },
  tokenTable: {
    title: tags.heading,
    strong: tags.strong,
    emphasised: tags.emphasis,
    code: tags.string,
    link: tags.link,
    mark: tags.processingInstruction,
  },
}
