import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { type CodeName, itemName, passwordProblems } from '@cloudoc/domain'
import { emptyDocument } from '@cloudoc/server/empty-documents'
import { read, utils } from '@e965/xlsx'
import { strFromU8, unzipSync } from 'fflate'
import mammoth from 'mammoth'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { pinyin } from 'pinyin-pro'
import PostalMime from 'postal-mime'
import { SaxesParser } from 'saxes'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { datesOf } from './dates.ts'
import {
  bigFolderCount,
  type DemoCalls,
  type DemoFile,
  demoCompany,
  demoFiles,
  demoPassword,
  loadDemo,
} from './index.ts'

const chinese = /\p{Script=Han}{4}/u

function extension({ name }: DemoFile): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

function place({ library, path }: DemoFile): string {
  return [library.kind, library.key, ...path].join('/')
}

const isArchive = ({ path }: DemoFile) => path[0] === '工单归档'
const documents = [...demoFiles(emptyDocument)].filter((file) => !isArchive(file))
const contents = new Map<DemoFile, Buffer>()

beforeAll(async () => {
  for (const file of documents) contents.set(file, Buffer.from(await file.bytes()))
}, 300_000)

/** Returns the first document of a type, optionally in a folder of the given name. */
function sample(extName: string, folder?: string): { title: string; bytes: Buffer } {
  const file = documents.find((each) => extension(each) === extName && (!folder || each.path.includes(folder)))
  const bytes = file && contents.get(file)
  if (!bytes) throw new Error(`no ${extName}`)
  return { title: file.name.slice(0, -extName.length - 1), bytes }
}

function xmlText(xml: string): string {
  let found = ''
  const parser = new SaxesParser({ xmlns: true })
  parser.on('text', (part) => {
    found += part
  })
  parser.write(xml).close()
  return found
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

describe('the demo company', () => {
  it('has 40 people in departments that exist, who can sign in by the pinyin of their names', () => {
    expect(demoCompany.people).toHaveLength(40)
    const groups = demoCompany.groups.map((group) => group.key)
    const roles = demoCompany.roles.map((role) => role.key)
    expect(new Set(groups).size).toBe(groups.length)
    for (const { key, parent } of demoCompany.groups) {
      if (parent) expect(groups.indexOf(parent)).toBeLessThan(groups.indexOf(key))
      expect(demoCompany.people.some((person) => person.group === key)).toBe(true)
    }
    for (const { account, name, group, roles: own = [] } of demoCompany.people) {
      expect(account).toBe(pinyin(name, { toneType: 'none', type: 'array', surname: 'head' }).join(''))
      expect(groups).toContain(group)
      for (const role of own) expect(roles).toContain(role)
    }
    expect(new Set(demoCompany.people.map((person) => person.account)).size).toBe(40)
  })

  it('has a password that the rules accept for everybody ([R026])', () => {
    for (const { account } of demoCompany.people) {
      expect(passwordProblems({ account, password: demoPassword, minLength: 8 })).toBeUndefined()
    }
  })
})

describe('the demo documents', () => {
  it('are at least 300 of 12 types, and 10,000 more in one folder', () => {
    expect(documents.length).toBeGreaterThanOrEqual(300)
    expect(new Set(documents.map(extension)).size).toBeGreaterThanOrEqual(12)
    const archive = [...demoFiles(emptyDocument)].filter(isArchive)
    expect(archive).toHaveLength(bigFolderCount)
    expect(bigFolderCount).toBe(10_000)
    expect(new Set(archive.map(place)).size).toBe(1)
  })

  it('have names that the drive keeps as they are, once in each folder, from people who exist', () => {
    const accounts = new Set(demoCompany.people.map((person) => person.account))
    const taken = new Set<string>()
    for (const file of demoFiles(emptyDocument)) {
      const stored = itemName(file.name)
      if ('code' in stored) throw new Error(`${file.name}: ${stored.code}`)
      expect(stored.name).toBe(file.name)
      taken.add(`${place(file)}/${stored.key}`)
      expect(accounts.has(file.by)).toBe(true)
    }
    expect(taken.size).toBe(documents.length + bigFolderCount)
  })

  it('come into a closed folder only from the people named there', () => {
    const closed = demoCompany.shares.filter((share) => !share.inherit)
    expect(closed.length).toBeGreaterThan(0)
    for (const { library, path, entries } of closed) {
      const inside = documents.filter((file) => place(file) === [library.kind, library.key, ...path].join('/'))
      expect(inside.length).toBeGreaterThan(0)
      for (const { by } of inside) expect(entries.find(({ key }) => key === by)?.rights).toMatch(/edit|full/)
    }
  })

  it('are all different', async () => {
    const seen = new Map<string, string>()
    for (const file of demoFiles(emptyDocument)) {
      const known = documents.find((each) => each.name === file.name && place(each) === place(file))
      const bytes = (known && contents.get(known)) ?? (await file.bytes())
      const hash = createHash('sha256').update(bytes).digest('hex')
      expect(seen.get(hash), `${file.name} is ${seen.get(hash)}`).toBeUndefined()
      seen.set(hash, file.name)
    }
  })

  it('are the same bytes each time', async () => {
    for (const extName of new Set(documents.map(extension))) {
      const file = documents.find((each) => extension(each) === extName)
      expect(Buffer.from((await file?.bytes()) ?? []).equals(sample(extName).bytes), extName).toBe(true)
    }
  })

  it('docx is read by mammoth without a complaint, text and table', async () => {
    const { title, bytes } = sample('docx')
    const { value, messages } = await mammoth.convertToHtml({ buffer: bytes })
    expect(messages.filter((message) => message.type === 'error')).toEqual([])
    expect(value).toContain(title)
    expect(value).toMatch(/<h1>[^<]*\p{Script=Han}{2}.*<table>/su)
  })

  it('xlsx is read by SheetJS: Chinese headings, numbers as numbers, a sum', () => {
    const { title, bytes } = sample('xlsx')
    const book = read(bytes, { cellFormula: true })
    expect(book.SheetNames).toEqual(['明细', '说明'])
    const sheet = book.Sheets['明细']
    if (!sheet) throw new Error('no sheet')
    const rows = utils.sheet_to_json<unknown[]>(sheet, { header: 1 })
    expect(rows[0]?.[0]).toBe(title)
    const column = rows[1]?.findIndex((value) => typeof value === 'string' && /元|数量/.test(value)) ?? -1
    const values = rows.slice(2, 50).map((row) => row[column])
    expect(values).toHaveLength(48)
    const sum = values.reduce<number>((total, value) => (typeof value === 'number' ? total + value : Number.NaN), 0)
    const cell = (sheet as Record<string, { v?: unknown; f?: string }>)[`${utils.encode_col(column)}51`]
    expect(cell?.v).toBe(sum)
    expect(cell?.f).toMatch(/^SUM\([A-Z]3:[A-Z]50\)$/)
  })

  it('pptx has a well-formed slide for each section, listed and declared', () => {
    const { title, bytes } = sample('pptx')
    const parts = new Map(Object.entries(unzipSync(bytes)).map(([path, part]) => [path, strFromU8(part)]))
    const slides = [...parts.keys()].filter((path) => /^ppt\/slides\/slide\d+\.xml$/.test(path))
    expect(slides.length).toBeGreaterThanOrEqual(4)
    expect(xmlText(parts.get('ppt/slides/slide1.xml') ?? '')).toContain(title)
    const relations = new Map<unknown, unknown>()
    for (const { Id, Target } of attributes(parts.get('ppt/_rels/presentation.xml.rels') ?? '', 'Relationship')) {
      relations.set(Id, `ppt/${Target}`)
    }
    const listed = attributes(parts.get('ppt/presentation.xml') ?? '', 'p:sldId')
    expect(new Set(listed.map((slide) => relations.get(slide['r:id'])))).toEqual(new Set(slides))
    expect(new Set(listed.map((slide) => Number(slide.id))).size).toBe(slides.length)
    for (const path of slides) {
      expect(xmlText(parts.get(path) ?? '')).toMatch(chinese)
      expect(parts.get('[Content_Types].xml')).toContain(`"/${path}"`)
    }
  })

  it('pdf gives its Chinese text to pdf.js and carries the font', async () => {
    const { title, bytes } = sample('pdf')
    const document = await getDocument({ data: new Uint8Array(bytes) }).promise
    const page = await document.getPage(1)
    const { items } = await page.getTextContent()
    const found = items.map((item) => ('str' in item ? item.str : '')).join('')
    expect(found).toContain(title)
    expect(found).toMatch(/\p{Script=Han}{8}，/u)
    await page.getOperatorList()
    const fonts = items.flatMap((item) => ('fontName' in item ? [item.fontName] : []))
    expect(page.commonObjs.get(fonts[0] ?? '')).toMatchObject({ missingFile: false, mimetype: 'font/opentype' })
    expect(bytes.length).toBeLessThan(120_000)
    await document.loadingTask.destroy()
  })

  it.each(['txt', 'md', 'csv', 'html', 'json', 'xml', 'svg'])('%s is valid UTF-8 with Chinese text', (extName) => {
    const content = new TextDecoder('utf-8', { fatal: true }).decode(sample(extName).bytes)
    expect(content).toMatch(chinese)
    if (extName === 'json') expect(JSON.parse(content)).toHaveProperty('标题')
    if (extName === 'xml' || extName === 'svg') expect(xmlText(content)).toMatch(chinese)
    if (extName === 'csv')
      expect(
        new Set(
          content
            .trimEnd()
            .split('\r\n')
            .map((row) => row.split(',').length),
        ).size,
      ).toBe(1)
  })

  it('txt from an old system is GBK and not UTF-8', () => {
    const { title, bytes } = sample('txt', '旧系统导出')
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow()
    expect(new TextDecoder('gbk', { fatal: true }).decode(bytes)).toContain(title)
  })

  it.each(['png', 'jpg', 'gif', 'svg'])('%s is a picture with more than a few colours', async (extName) => {
    const { dominant, entropy } = await sharp(sample(extName).bytes).stats()
    expect(dominant).toBeDefined()
    expect(entropy).toBeGreaterThan(0.3)
    const { format, width } = await sharp(sample(extName).bytes).metadata()
    expect(format).toBe(extName === 'jpg' ? 'jpeg' : extName)
    expect(width).toBeGreaterThan(300)
  })

  it('bmp says its own size and holds every row', () => {
    const { bytes } = sample('bmp')
    expect(bytes.toString('latin1', 0, 2)).toBe('BM')
    expect([bytes.readUInt32LE(2), bytes.readInt32LE(18), bytes.readInt32LE(22)]).toEqual([bytes.length, 360, 270])
    expect(bytes.length).toBe(54 + 360 * 3 * 270)
  })

  it('wav, mp4 and webm begin as players expect', () => {
    expect(sample('wav').bytes.toString('latin1', 0, 16)).toMatch(/^RIFF.{4}WAVEfmt /s)
    expect(sample('wav').bytes.readUInt32LE(40)).toBe(sample('wav').bytes.length - 44)
    expect(sample('mp4').bytes.toString('latin1', 4, 8)).toBe('ftyp')
    expect(sample('webm').bytes.readUInt32BE(0)).toBe(0x1a45dfa3)
  })

  it('zip is read by yauzl, Chinese names and contents', async () => {
    const archive = await fromBufferPromise(sample('zip').bytes, { lazyEntries: true })
    const names: string[] = []
    for await (const entry of archive.eachEntry()) {
      names.push(entry.fileName)
      if (entry.fileName.endsWith('.txt'))
        expect(await text(await archive.openReadStreamPromise(entry))).toMatch(chinese)
    }
    expect(names).toEqual(expect.arrayContaining(['说明.txt', '明细/明细.csv', '明细/明细.json']))
  })

  it('eml has a Chinese subject, a text and an attachment', async () => {
    const { title, bytes } = sample('eml')
    const mail = await PostalMime.parse(bytes)
    expect(mail.subject).toBe(title)
    expect(mail.text).toMatch(chinese)
    expect(mail.attachments.map((attachment) => attachment.filename)).toEqual(['明细.csv'])
  })
})

/** A fake installation that records the calls and refuses what a real one would. */
function installation(empty = true) {
  let last = 0
  const made = { groups: 0, people: new Map<string, number>(), roles: 0, memberships: 0, nextVersions: 0, shares: 0 }
  const folders = new Map<number, Set<string>>()
  const add = () => {
    folders.set(++last, new Set())
    return last
  }
  const put = (folderId: number, name: string) => {
    const names = folders.get(folderId)
    if (!names) throw new Error('notFound' satisfies CodeName)
    if (names.has(name)) throw new Error('alreadyExists' satisfies CodeName)
    names.add(name)
  }
  const calls: DemoCalls = {
    emptyDocument,
    isEmpty: async () => empty,
    createGroup: async () => ++made.groups,
    createAccount: async ({ account }) => {
      made.people.set(account, made.people.size + 1)
      return made.people.size
    },
    createRole: async () => ++made.roles,
    addRoleAccount: async () => {
      made.memberships++
    },
    libraryRoot: async () => add(),
    createFolder: async (parentId, name) => {
      put(parentId, name)
      return add()
    },
    upload: async (folderId, name, bytes, account, { isNext, lastModified }) => {
      if (!made.people.has(account)) throw new Error('notFound' satisfies CodeName)
      expect(bytes.length).toBeGreaterThan(0)
      expect(lastModified).toBeLessThan(Date.now())
      if (!isNext) return put(folderId, name)
      made.nextVersions += 1
      expect(folders.get(folderId)?.has(name)).toBe(true)
    },
    setShareList: async (folderId, { entries }) => {
      expect(folders.has(folderId)).toBe(true)
      made.shares += entries.length
    },
  }
  return { calls, made, folders }
}

describe('the dates of the demo', () => {
  const now = Date.UTC(2026, 10, 24, 3)

  it('are of the working days of a year, in office hours, and the same each time', () => {
    const all = Array.from({ length: 2000 }, (_, n) => datesOf(`file ${n}`, 1 + (n % 4), now))
    expect(all).toEqual(Array.from({ length: 2000 }, (_, n) => datesOf(`file ${n}`, 1 + (n % 4), now)))
    for (const dates of all) expect(dates).toEqual(dates.toSorted((a, b) => a - b))
    const shanghai = all.flat().map((time) => new Date(time + 8 * 3_600_000))
    for (const date of shanghai) {
      expect([0, 6]).not.toContain(date.getUTCDay())
      const minute = date.getUTCHours() * 60 + date.getUTCMinutes()
      expect(minute >= 510 && minute <= 1080).toBe(true)
    }
    const times = all.flat()
    expect(Math.max(...times)).toBeLessThan(now)
    expect(Math.min(...times)).toBeGreaterThan(now - 370 * 86_400_000)
    expect(new Set(shanghai.map((date) => date.getUTCMonth())).size).toBe(12)
  })
})

describe('loading the demo', () => {
  it('makes everybody, every right and every file, each folder once', async () => {
    const { calls, made, folders } = installation()
    let done = 0
    await loadDemo(calls, (_, count) => {
      done = count
    })
    expect(done).toBe(documents.length + bigFolderCount)
    expect([made.groups, made.people.size, made.roles]).toEqual([12, 40, 4])
    expect(made.memberships).toBeGreaterThan(12)
    expect(made.nextVersions).toBeGreaterThan(80)
    expect(made.shares).toBe(demoCompany.shares.flatMap((share) => share.entries).length)
    expect(Math.max(...[...folders.values()].map((names) => names.size))).toBe(bigFolderCount)
  }, 300_000)

  it('stops when an upload fails, and says which failure it was', async () => {
    const { calls } = installation()
    let uploads = 0
    const upload = async () => {
      if (++uploads === 20) throw new Error('noSpace')
    }
    await expect(loadDemo({ ...calls, upload }, () => {})).rejects.toThrow('noSpace')
    await new Promise(setImmediate)
    expect(uploads).toBeLessThan(20 + 8)
  })

  it('leaves an installation alone that holds anything, and says why', async () => {
    const { calls, made } = installation(false)
    await expect(loadDemo(calls, () => {})).rejects.toThrow(/only an empty installation/)
    expect(made.groups).toBe(0)
  })
})
