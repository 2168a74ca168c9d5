/*
 * The words of a place on a slide, letter by letter with what each looks like: what was typed takes on the look of where it
 * was typed, paragraphs that were not touched are written as they stand in the file.
 */
import { differenceOf } from '@cloudoc/domain'
import { escape } from './package.ts'
import type { Placed } from './xml.ts'

/** What a letter stands in: the properties of its run as they are written, and the whole of a field that it is part of. */
interface Run {
  readonly rPr: string
  readonly field?: string
}

interface Paragraph {
  /** What stands before it, the paragraph itself, its properties and those of its end, as they are written. */
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

/** The words of a place. */
export interface SlideText {
  readonly first: Paragraph
  readonly tokens: readonly Token[]
  readonly before: string
  readonly after: string
}

/** What stands for a piece that is kept as it is. */
const piece = '\ufffc'

const elements = (of: Placed): Placed[] => of.children.filter((one): one is Placed => typeof one !== 'string')

/** Reads the words of a place; undefined where there is no paragraph. */
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

/** The words as somebody reads and types them: a line for each paragraph, and for each break in one. */
export function plainText({ tokens }: SlideText): string {
  return tokens.map((token) => (token.is === 'letter' ? token.letter : token.is === 'kept' ? piece : '\n')).join('')
}

/** The words with others in place of those that differ. */
export function withTypedText(text: SlideText, words: string): SlideText {
  const own = plainText(text)
  let { from, to, insert } = differenceOf(own, words.replaceAll('\r\n', '\n'))
  if (from === to && insert === '') return text
  // A line that is added goes on from the one above it.
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

/** The look of what is typed there: of what it takes the place of, of what stands before it, or behind it in its line. */
function runAt(tokens: readonly Token[], from: number, to: number, { end }: Paragraph): Run {
  const [replaced, before, behind] = [from < to ? tokens[from] : undefined, tokens[from - 1], tokens[to]]
  const near = [replaced, before, behind].find((one) => one?.is === 'letter')
  if (near?.is === 'letter') {
    const isWithin = before?.is === 'letter' && behind?.is === 'letter' && before.run === behind.run
    if (near.run.field === undefined && (isWithin || !near.run.rPr.includes('<a:hlink'))) return near.run
    // A link ends where it ended.
    return {
      rPr: isWithin ? near.run.rPr : near.run.rPr.replace(/<a:hlink\w+(?:\s[^>]*\/>|[\s\S]*?<\/a:hlink\w+>)/g, ''),
    }
  }
  return { rPr: end.replace(/^<a:endParaRPr/, '<a:rPr').replace(/<\/a:endParaRPr>$/, '</a:rPr>') }
}

/** The place as it is written. */
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
