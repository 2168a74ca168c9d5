import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { read, utils, write } from '@e965/xlsx'
import { strFromU8, unzipSync } from 'fflate'
import mammoth from 'mammoth'
import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import { openWorld } from '../../test/harness.ts'
import { emptyDocument } from './empty-documents.ts'

function document(extName: string): Uint8Array<ArrayBuffer> {
  const bytes = emptyDocument(extName)
  if (!bytes) throw new Error(`no empty ${extName}`)
  return new Uint8Array(bytes)
}

function parts(extName: string): Map<string, string> {
  return new Map(Object.entries(unzipSync(document(extName))).map(([path, bytes]) => [path, strFromU8(bytes)]))
}

function attributes(xml: string, element: string): Record<string, string>[] {
  const found: Record<string, string>[] = []
  const parser = new SaxesParser({ xmlns: false })
  parser.on('opentag', (tag) => {
    if (tag.name === element) found.push({ ...tag.attributes })
  })
  parser.write(xml).close()
  return found
}

describe('the empty documents of "new file" ([R118])', () => {
  it('are offered for docx, xlsx, pptx, txt and md, whatever the case, and for nothing else', () => {
    for (const extName of ['docx', 'xlsx', 'pptx', 'txt', 'md', 'DOCX']) expect(emptyDocument(extName)).toBeDefined()
    for (const extName of ['doc', 'pdf', '', 'constructor', '__proto__']) expect(emptyDocument(extName)).toBeUndefined()
    expect(emptyDocument('txt')).toHaveLength(0)
  })

  it.each(['docx', 'xlsx', 'pptx'])('%s: every part is well-formed, declared, and reached by a relation', (extName) => {
    const all = parts(extName)
    expect([...all.keys()][0]).toBe('[Content_Types].xml')
    for (const xml of all.values()) new SaxesParser({ xmlns: true }).write(xml).close()

    const declared = attributes(all.get('[Content_Types].xml') ?? '', 'Override').map((row) => row.PartName?.slice(1))
    const reached = new Set<string>()
    for (const [path, xml] of all) {
      if (!path.endsWith('.rels')) continue
      const base = path.replace(/_rels\/[^/]+$/, '')
      for (const { Target = '' } of attributes(xml, 'Relationship')) {
        reached.add(new URL(Target, `part:///${base}`).pathname.slice(1))
      }
    }
    const documents = [...all.keys()].filter((path) => !path.endsWith('.rels') && path !== '[Content_Types].xml')
    expect(declared).toHaveLength(documents.length)
    expect(new Set(declared)).toEqual(new Set(documents))
    expect(reached).toEqual(new Set(documents))
  })

  it.each(['docx', 'xlsx', 'pptx'])('%s: equal bytes in every time zone', (extName) => {
    const module = JSON.stringify(new URL('./empty-documents.ts', import.meta.url).href)
    const code = `const { emptyDocument } = await import(${module}); process.stdout.write(emptyDocument('${extName}'))`
    const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
    for (const TZ of ['Asia/Shanghai', 'America/Los_Angeles']) {
      const there = execFileSync(process.execPath, ['--input-type=module', '-e', code], { env: { TZ } })
      expect(hash(there)).toBe(hash(document(extName)))
    }
  })

  it('docx is an A4 page without text, with a Chinese font and the headings', async () => {
    const { value, messages } = await mammoth.extractRawText({ buffer: Buffer.from(document('docx')) })
    expect(value.trim()).toBe('')
    expect(messages).toEqual([])
    expect(attributes(parts('docx').get('word/document.xml') ?? '', 'w:pgSz')).toEqual([
      { 'w:w': '11906', 'w:h': '16838' },
    ])
    const styles = parts('docx').get('word/styles.xml') ?? ''
    expect(attributes(styles, 'w:rFonts')[0]).toMatchObject({ 'w:eastAsia': '宋体' })
    expect(attributes(styles, 'w:style').map((style) => style['w:styleId'])).toContain('Heading1')
  })

  it('xlsx is one empty A4 sheet that takes a value and keeps it', () => {
    const book = read(document('xlsx'))
    expect(book.SheetNames).toEqual(['Sheet1'])
    const sheet = book.Sheets['Sheet1']
    if (!sheet) throw new Error('no sheet')
    expect(utils.sheet_to_json(sheet, { header: 1 })).toEqual([])
    expect(attributes(parts('xlsx').get('xl/worksheets/sheet1.xml') ?? '', 'pageSetup')).toMatchObject([
      { paperSize: '9' },
    ])
    utils.sheet_add_aoa(sheet, [['合同编号']])
    const again = read(write(book, { type: 'buffer', bookType: 'xlsx' }))
    expect(again.Sheets['Sheet1']?.['A1']).toMatchObject({ v: '合同编号' })
    expect(attributes(parts('xlsx').get('xl/styles.xml') ?? '', 'name')).toEqual([{ val: '宋体' }])
  })

  it('pptx is one 16:9 title slide whose boxes exist in its layout, with a Chinese font', () => {
    const all = parts('pptx')
    expect(attributes(all.get('ppt/presentation.xml') ?? '', 'p:sldSz')).toEqual([{ cx: '12192000', cy: '6858000' }])
    expect(attributes(all.get('ppt/presentation.xml') ?? '', 'p:sldId')).toHaveLength(1)
    const boxes = (path: string) => attributes(all.get(path) ?? '', 'p:ph')
    expect(boxes('ppt/slides/slide1.xml')).toEqual(boxes('ppt/slideLayouts/slideLayout1.xml'))
    expect(boxes('ppt/slides/slide1.xml')).toHaveLength(2)
    expect(attributes(all.get('ppt/theme/theme1.xml') ?? '', 'a:ea')).toContainEqual({ typeface: '微软雅黑' })
  })

  // [R118] New docx, xlsx, pptx and txt files are valid documents.
  it('[R118] are what a new file holds, under its name; another type is -20 and makes nothing', async () => {
    const world = await openWorld({ elected: false })
    const anna = await world.person('anna')
    const types = ['docx', 'pptx', 'txt', 'xlsx']
    for (const extName of types) {
      const { fileId } = await anna.call('fileCreate', { folderId: anna.library, fileName: `新建.${extName}` })
      expect((await anna.download(fileId)).rawPayload, extName).toEqual(Buffer.from(document(extName)))
    }
    expect(await anna.refusal('fileCreate', { folderId: anna.library, fileName: '新建.pdf' })).toBe('typeRestricted')
    expect(await anna.names(anna.library)).toEqual(types.map((extName) => `新建.${extName}`))
  })
})
