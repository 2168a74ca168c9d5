/*
 * The text of a text frame on a slide, as characters with their run formatting. Typed text takes the formatting at the
 * insertion point. Unchanged paragraphs are written exactly as in the file.
 */
import { differenceOf } from '@cloudoc/domain'
import type { Placed } from '../package/index.ts'
import { escape } from '../package/index.ts'

/** The run of a character: the XML of its properties, and the XML of the whole field if it is part of one. */
interface Run {
  readonly rPr: string
  readonly field?: string
}

interface Paragraph {
  /** The XML before the paragraph, of the paragraph, of its properties and of its end properties. */
  readonly gap: string
  readonly raw: string
  readonly pPr: string
  readonly end: string
  readonly own: readonly Token[]
}

type Token =
  | { readonly is: 'letter'; readonly letter: string; readonly run: Run }
  | { readonly is: 'break' | 'kept'; readonly raw: string }
  | { readonly is: 'paragraph'; readonly paragraph: Paragraph }

/** The text of a text frame. */
export interface SlideText {
  readonly first: Paragraph
  readonly tokens: readonly Token[]
  readonly before: string
  readonly after: string
}

/** The placeholder character of an opaque piece. */
const piece = '\ufffc'

const elements = (of: Placed): Placed[] => of.children.filter((one): one is Placed => typeof one !== 'string')

/** Reads the text of a text frame; undefined if it has no paragraph. */
export function readSlideText(xml: string, body: Placed): SlideText | undefined {
  const paragraphs = elements(body).filter(({ name }) => name === 'a:p')
  const [one] = paragraphs
  if (one === undefined) return undefined
  let behind = one.from
  const read = paragraphs.map((element) => {
    const paragraph = readParagraph(xml, element, xml.slice(behind, element.from))
    behind = element.to
    return paragraph
  })
  const [first, ...more] = read
  if (first === undefined) return undefined
  return {
    first,
    tokens: [...first.own, ...more.flatMap((paragraph): Token[] => [{ is: 'paragraph', paragraph }, ...paragraph.own])],
    before: xml.slice(body.from, one.from),
    after: xml.slice(behind, body.to),
  }
}

function readParagraph(xml: string, element: Placed, gap: string): Paragraph {
  const raw = (one: Placed | undefined): string => (one === undefined ? '' : xml.slice(one.from, one.to))
  const inside = elements(element)
  const own = inside.flatMap((one): Token[] => {
    if (one.name === 'a:pPr' || one.name === 'a:endParaRPr') return []
    if (one.name === 'a:br') return [{ is: 'break', raw: raw(one) }]
    if (one.name !== 'a:r' && one.name !== 'a:fld') return [{ is: 'kept', raw: raw(one) }]
    const rPr = raw(elements(one).find(({ name }) => name === 'a:rPr'))
    const text = elements(one)
      .filter(({ name }) => name === 'a:t')
      .flatMap(({ children }) => children)
      .filter((part) => typeof part === 'string')
      .join('')
    const run: Run = { rPr, ...(one.name === 'a:fld' ? { field: raw(one) } : {}) }
    return text.split('').map((letter) => ({ is: 'letter', letter, run }))
  })
  return {
    gap,
    raw: raw(element),
    pPr: raw(inside.find(({ name }) => name === 'a:pPr')),
    end: raw(inside.find(({ name }) => name === 'a:endParaRPr')),
    own,
  }
}

/** The plain text to display and edit: one line per paragraph and per line break. */
export function plainText({ tokens }: SlideText): string {
  return tokens.map((token) => (token.is === 'letter' ? token.letter : token.is === 'kept' ? piece : '\n')).join('')
}

/** Applies the difference between the current and a new plain text. */
export function withTypedText(text: SlideText, words: string): SlideText {
  const own = plainText(text)
  let { from, to, insert } = differenceOf(own, words.replaceAll('\r\n', '\n'))
  if (from === to && insert === '') return text
  // Adding a line continues the paragraph above it.
  if (from === to && insert.endsWith('\n') && own[from - 1] === '\n') {
    insert = `\n${insert.slice(0, -1)}`
    from = to = from - 1
  }
  const { tokens, first } = text
  let paragraph = first
  for (const token of tokens.slice(0, from)) if (token.is === 'paragraph') paragraph = token.paragraph
  const run = runAt(tokens, from, to, paragraph)
  const made = insert.split('').flatMap((letter): Token[] => {
    if (letter === '\n') return [{ is: 'paragraph', paragraph }]
    return letter === piece ? [] : [{ is: 'letter', letter, run }]
  })
  return { ...text, tokens: [...tokens.slice(0, from), ...made, ...tokens.slice(to)] }
}

/**
 * The formatting of inserted text: that of the replaced text, of the preceding text, or of the following text in the
 * line.
 */
function runAt(tokens: readonly Token[], from: number, to: number, { end }: Paragraph): Run {
  const [replaced, before, behind] = [from < to ? tokens[from] : undefined, tokens[from - 1], tokens[to]]
  const near = [replaced, before, behind].find((one) => one?.is === 'letter')
  if (near?.is === 'letter') {
    const isWithin = before?.is === 'letter' && behind?.is === 'letter' && before.run === behind.run
    if (near.run.field === undefined && (isWithin || !near.run.rPr.includes('<a:hlink'))) return near.run
    // Text typed at the edge of a link is not part of the link.
    return {
      rPr: isWithin ? near.run.rPr : near.run.rPr.replace(/<a:hlink\w+(?:\s[^>]*\/>|[\s\S]*?<\/a:hlink\w+>)/g, ''),
    }
  }
  return { rPr: end.replace(/^<a:endParaRPr/, '<a:rPr').replace(/<\/a:endParaRPr>$/, '</a:rPr>') }
}

/** Serializes the text frame. */
export function writtenText({ first, tokens, before, after }: SlideText): string {
  const used = new Set<Paragraph>()
  let made = before
  let paragraph = first
  let own: Token[] = []
  const put = (): void => {
    const isFirst = !used.has(paragraph)
    used.add(paragraph)
    if (isFirst) made += paragraph.gap
    const isSame = own.length === paragraph.own.length && own.every((token, n) => token === paragraph.own[n])
    made += isFirst && isSame ? paragraph.raw : `<a:p>${paragraph.pPr}${runsOf(own)}${paragraph.end}</a:p>`
  }
  for (const token of tokens) {
    if (token.is === 'paragraph') {
      put()
      paragraph = token.paragraph
      own = []
    } else own.push(token)
  }
  put()
  return made + after
}

function runsOf(tokens: readonly Token[]): string {
  let made = ''
  for (let n = 0; n < tokens.length; ) {
    const token = tokens[n]
    if (token === undefined) break
    if (token.is !== 'letter') {
      made += token.is === 'paragraph' ? '' : token.raw
      n++
      continue
    }
    const { run } = token
    let text = ''
    for (let next = tokens[n]; next?.is === 'letter' && next.run === run; next = tokens[n]) {
      text += next.letter
      n++
    }
    const isWhole = run.field !== undefined && fieldText(run.field) === escape(text)
    made += isWhole ? run.field : `<a:r>${run.rPr}<a:t>${escape(text)}</a:t></a:r>`
  }
  return made
}

const fieldText = (field: string): string => /<a:t(?:\s[^>]*)?>([^<]*)<\/a:t>/.exec(field)?.[1] ?? ''
