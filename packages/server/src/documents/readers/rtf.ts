// Reader of RTF: text with formatting, tables and pictures, in the code pages of its fonts.
import type { Block, Flow, Paragraph, Run, TableCell } from '@cloudoc/contract'
import type { Parts } from '../container.ts'
import { Refused } from '../refusal.ts'
import { fromPoints, fromTwips, pictureType } from './package.ts'
import { appendRun, type Reader } from './reader.ts'

const deepest = 500
/** Groups whose content is not shown. */
const unseen = new Set(
  'stylesheet info listtable listoverridetable rsidtbl themedata colorschememapping datastore latentstyles generator xmlnstbl fldinst header headerl headerr headerf footer footerl footerr footerf nonshppict filetbl revtbl pgdsctbl bkmkstart bkmkend objdata mmathPr'.split(
    ' ',
  ),
)
const codePages: Readonly<Record<number, string>> = {
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gb18030',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  204: 'windows-1251',
  238: 'windows-1250',
}
const byPage: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  1251: 'windows-1251',
}

interface State {
  readonly look: { -readonly [K in keyof Omit<Run, 'text' | 'image'>]: Run[K] }
  kind: 'text' | 'fonts' | 'colors' | 'picture' | 'unseen'
  font: number
  /** Number of fallback bytes or characters that follow a Unicode character. */
  fallback: number
}

interface Picture {
  hex: string
  width: number
  height: number
}

export const readRtf: Reader = ({ bytes, parts }): Flow => {
  if (!bytes.toString('latin1', 0, 5).startsWith('{\\rtf')) throw new Refused('conversionFailed', 'no rich text')
  return new RtfReading(bytes.toString('latin1'), parts).read()
}

class RtfReading {
  private readonly blocks: Block[] = []
  private runs: Run[] = []
  private cell: Block[] = []
  private row: TableCell[] = []
  private rows: TableCell[][] = []
  private paragraph: { align?: 'center' | 'end' | 'justify'; indent?: number; firstLine?: number; inTable?: true } = {}
  private readonly fonts = new Map<number, string>()
  private readonly colors: string[] = []
  private color = [0, 0, 0]
  private page = 'windows-1252'
  private pending: number[] = []
  private picture: Picture = { hex: '', width: 0, height: 0 }
  private stack: State[] = [{ look: {}, kind: 'text', font: 0, fallback: 1 }]
  private skip = 0
  private readonly source: string
  private readonly parts: Parts

  constructor(source: string, parts: Parts) {
    this.source = source
    this.parts = parts
  }

  private get state(): State {
    return this.stack.at(-1) as State
  }

  read(): Flow {
    const token = /\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi
    for (const [, word, number, hex, sign, brace, text] of this.source.matchAll(token)) {
      if (hex !== undefined) this.byte(Number.parseInt(hex, 16))
      else if (text !== undefined) this.plain(text)
      else {
        this.flush()
        if (brace === '{') this.open()
        else if (brace === '}') this.close()
        else if (word !== undefined) this.control(word.toLowerCase(), number === undefined ? undefined : Number(number))
        else if (sign !== undefined) this.sign(sign)
      }
    }
    this.flush()
    if (this.runs.length > 0) this.endParagraph()
    if (this.row.length > 0) this.rows.push(this.row)
    this.endTable()
    return { kind: 'flow', blocks: this.blocks }
  }

  private open(): void {
    if (this.stack.length > deepest) throw new Refused('conversionFailed', 'too deep')
    this.stack.push({ ...this.state, look: { ...this.state.look } })
  }

  private close(): void {
    const { kind } = this.state
    if (this.stack.length > 1) this.stack.pop()
    if (kind === 'picture' && this.state.kind !== 'picture') this.endPicture()
  }

  private byte(value: number): void {
    if (this.skip > 0) {
      this.skip -= 1
      return
    }
    if (this.state.kind === 'text') this.pending.push(value)
  }

  /** Decodes the pending bytes with the code page of the font. */
  private flush(): void {
    if (this.pending.length === 0) return
    const page = this.fonts.get(this.state.font) ?? this.page
    this.put(new TextDecoder(page).decode(Uint8Array.from(this.pending)))
    this.pending = []
  }

  private plain(text: string): void {
    let shown = text
    if (this.skip > 0) {
      const gone = Math.min(this.skip, shown.length)
      this.skip -= gone
      shown = shown.slice(gone)
    }
    switch (this.state.kind) {
      case 'text':
        for (const char of shown) this.pending.push(char.charCodeAt(0))
        break
      case 'picture':
        this.picture.hex += shown.replace(/\s/g, '')
        break
      case 'colors':
        for (const char of shown) {
          if (char !== ';') continue
          this.colors.push(`#${this.color.map((one) => one.toString(16).padStart(2, '0')).join('')}`)
          this.color = [0, 0, 0]
        }
        break
      default:
    }
  }

  private put(text: string): void {
    if (this.state.kind === 'text' && text !== '') appendRun(this.runs, { ...this.state.look, text })
  }

  private sign(sign: string): void {
    if (sign === '*') {
      // An optional destination: it is either known or not shown.
      if (this.state.kind === 'text') this.state.kind = 'unseen'
    } else if (sign === '~') this.put('\u00a0')
    else if (sign === '_') this.put('-')
    else if ('\\{}'.includes(sign)) this.put(sign)
  }

  private control(word: string, number: number | undefined): void {
    const { state } = this
    const { look } = state
    const on = number !== 0
    if (word === 'shppict' || word === 'fldrslt') {
      state.kind = 'text'
      return
    }
    if (unseen.has(word)) {
      state.kind = 'unseen'
      return
    }
    if (word === 'fonttbl') state.kind = 'fonts'
    else if (word === 'colortbl') state.kind = 'colors'
    else if (word === 'pict') {
      if (state.kind !== 'unseen') {
        state.kind = 'picture'
        this.picture = { hex: '', width: 0, height: 0 }
      }
    } else if (word === 'bin') throw new Refused('conversionUnsupported', 'pictures as bytes')
    if (state.kind === 'fonts') {
      if (word === 'f') state.font = number ?? 0
      else if (word === 'fcharset') {
        const page = codePages[number ?? 0]
        if (page !== undefined) this.fonts.set(state.font, page)
      }
      return
    }
    if (state.kind === 'colors') {
      const place = ['red', 'green', 'blue'].indexOf(word)
      if (place >= 0) this.color[place] = Math.max(0, Math.min(255, number ?? 0))
      return
    }
    if (state.kind === 'picture') {
      if (word === 'picwgoal') this.picture.width = fromTwips(number ?? 0)
      else if (word === 'pichgoal') this.picture.height = fromTwips(number ?? 0)
      return
    }
    if (state.kind !== 'text') return
    switch (word) {
      case 'ansicpg':
        this.page = byPage[number ?? 0] ?? 'windows-1252'
        break
      case 'uc':
        state.fallback = number ?? 1
        break
      case 'u':
        this.put(String.fromCharCode((number ?? 0) & 0xffff))
        this.skip = state.fallback
        break
      case 'f':
        state.font = number ?? 0
        break
      case 'plain':
        for (const key of Object.keys(look)) delete look[key as keyof typeof look]
        break
      case 'b':
        set(look, 'bold', on)
        break
      case 'i':
        set(look, 'italic', on)
        break
      case 'ul':
        set(look, 'underline', on)
        break
      case 'ulnone':
        set(look, 'underline', false)
        break
      case 'strike':
        set(look, 'strike', on)
        break
      case 'fs':
        look.size = fromPoints((number ?? 24) / 2)
        break
      case 'cf': {
        const color = this.colors[number ?? 0]
        if ((number ?? 0) > 0 && color !== undefined) look.color = color
        else delete look.color
        break
      }
      case 'pard':
        this.paragraph = {}
        break
      case 'intbl':
        this.paragraph.inTable = true
        break
      case 'qc':
        this.paragraph.align = 'center'
        break
      case 'qr':
        this.paragraph.align = 'end'
        break
      case 'qj':
        this.paragraph.align = 'justify'
        break
      case 'li':
        this.paragraph.indent = Math.max(0, fromTwips(number ?? 0))
        break
      case 'fi':
        this.paragraph.firstLine = fromTwips(number ?? 0)
        break
      case 'par':
      case 'sect':
        this.endParagraph()
        break
      case 'page':
        this.endParagraph()
        this.endTable()
        this.blocks.push({ is: 'pageBreak' })
        break
      case 'line':
        this.put('\n')
        break
      case 'tab':
        this.put('\t')
        break
      case 'cell':
        this.endParagraph(true)
        this.row.push({ blocks: this.cell })
        this.cell = []
        break
      case 'row':
        if (this.row.length > 0) this.rows.push(this.row)
        this.row = []
        break
      default:
        if (signs[word] !== undefined) this.put(signs[word])
    }
  }

  private endParagraph(inTable = this.paragraph.inTable === true): void {
    const { inTable: _, ...look } = this.paragraph
    const block: Paragraph = { is: 'text', runs: this.runs, after: 4, ...look }
    this.runs = []
    if (inTable) this.cell.push(block)
    else {
      this.endTable()
      this.blocks.push(block)
    }
  }

  private endTable(): void {
    if (this.rows.length > 0) this.blocks.push({ is: 'table', widths: [], rows: this.rows })
    this.rows = []
  }

  private endPicture(): void {
    const bytes = Buffer.from(this.picture.hex, 'hex')
    const type = pictureType(bytes)
    if (type === undefined) return
    const { width, height } = this.picture
    this.runs.push({ image: { part: this.parts.bytes(type, bytes), width, height, alt: '' } })
  }
}

const signs: Readonly<Record<string, string>> = {
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
}

function set(look: State['look'], name: 'bold' | 'italic' | 'underline' | 'strike', on: boolean): void {
  if (on) look[name] = true
  else delete look[name]
}
