// Markdown as blocks. HTML in it is shown as plain text.
import type { Block, Flow, Run, TableCell } from '@cloudoc/contract'
import { decodeText } from '@cloudoc/domain'
import { lexer, type Token, type Tokens } from 'marked'
import type { Reader } from './reader.ts'

const mostText = 4 * 1024 * 1024
const deepest = 40

export const readMarkdown: Reader = ({ bytes }): Flow => ({
  kind: 'flow',
  blocks: blocksOf(lexer(decodeText(bytes.subarray(0, mostText), bytes.length > mostText).text), 0),
})

function blocksOf(tokens: readonly Token[], depth: number): Block[] {
  if (depth > deepest) return []
  return (tokens as readonly Tokens.Generic[]).flatMap((token): Block[] => {
    switch (token.type) {
      case 'heading':
        return [
          {
            is: 'text',
            runs: runsOf(token.tokens, {}),
            heading: (token as Tokens.Heading).depth,
            before: 16,
            after: 8,
          },
        ]
      case 'paragraph':
      case 'text':
        return [{ is: 'text', runs: runsOf(token.tokens ?? [token], {}), after: 10 }]
      case 'code':
        return [{ is: 'code', text: (token as Tokens.Code).text, language: (token as Tokens.Code).lang ?? '' }]
      case 'blockquote':
        return [{ is: 'quote', blocks: blocksOf(token.tokens ?? [], depth + 1) }]
      case 'hr':
        return [{ is: 'rule' }]
      case 'list':
        return listOf(token as Tokens.List, depth)
      case 'table':
        return [tableOf(token as Tokens.Table)]
      case 'html':
        return [{ is: 'text', runs: [{ text: (token as Tokens.HTML).text.trim(), mono: true }], after: 10 }]
      default:
        return []
    }
  })
}

function listOf(list: Tokens.List, depth: number): Block[] {
  const start = typeof list.start === 'number' ? list.start : 1
  return list.items.flatMap((item, n) => {
    const check = item.task ? (item.checked === true ? '☑' : '☐') : undefined
    const mark = check ?? (list.ordered ? `${start + n}.` : '•')
    return blocksOf(item.tokens, depth + 1).map((one, at): Block => {
      if (one.is !== 'text') return one
      return { ...one, indent: (one.indent ?? 0) + 24, after: 4, ...(at === 0 ? { mark } : {}) }
    })
  })
}

function tableOf(table: Tokens.Table): Block {
  const cell = ({ tokens, align }: Tokens.TableCell, head: boolean): TableCell => {
    const side = align === 'center' ? { align } : align === 'right' ? { align: 'end' as const } : {}
    return {
      blocks: [{ is: 'text', runs: runsOf(tokens, head ? { bold: true } : {}), ...side }],
      ...(head ? { head: true as const } : {}),
    }
  }
  const rows = table.rows.map((row) => row.map((one) => cell(one, false)))
  return { is: 'table', widths: [], rows: [table.header.map((one) => cell(one, true)), ...rows] }
}

type RunFormat = Omit<Run, 'text' | 'image'>

function runsOf(tokens: readonly Token[] | undefined, look: RunFormat, depth = 0): Run[] {
  if (depth > deepest) return []
  return ((tokens ?? []) as readonly Tokens.Generic[]).flatMap((token): Run[] => {
    const inner = (more: RunFormat): Run[] =>
      token.tokens === undefined
        ? [{ ...look, ...more, text: plainOf(token) }]
        : runsOf(token.tokens, { ...look, ...more }, depth + 1)
    switch (token.type) {
      case 'strong':
        return inner({ bold: true })
      case 'em':
        return inner({ italic: true })
      case 'del':
        return inner({ strike: true })
      case 'codespan':
        return [{ ...look, mono: true, back: '#f2f3f5', text: plainOf(token) }]
      case 'br':
        return [{ text: '\n' }]
      case 'link': {
        const href = String(token['href'] ?? '')
        return inner(/^(https?|mailto):/i.test(href) ? { href } : { underline: true })
      }
      // A picture would have to be fetched, so its alternative text is shown.
      case 'image':
        return [{ ...look, italic: true, text: `[${plainOf(token)}]` }]
      default:
        return inner({})
    }
  })
}

const plainOf = (token: Tokens.Generic): string => String(token['text'] ?? token.raw)
