// Submitting and discarding the edit drafts of this browser ([R175], [R176]).
import 'fake-indexeddb/auto'
import { copyStatus, EditState, writeText } from '@cloudoc/domain'
import { openDocument } from '@cloudoc/office/document'
import { openSlides } from '@cloudoc/office/presentation'
import { openWorkbook } from '@cloudoc/office/workbook'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { beforeEach, expect, it } from 'vitest'
import { CallError } from '../../core/call/api.ts'
import { accountRecords, type EditRecord } from '../../core/storage/account-records.ts'
import { draftsOf } from '../../core/storage/drafts.ts'
import { discardPending, type PendingEditPorts, submitPending } from './pending-edits.ts'

const edit: EditRecord = {
  fileId: 5,
  fileName: '接口.md',
  folderId: 1,
  folderName: '文档',
  localPath: 'draft:5',
  version: 3,
  state: EditState.changed,
  closed: true,
  createTime: 1,
}
// Not the default encoding of new files.
const form = { encoding: 'utf-16le', hasMark: true } as const

let account = 700
let told: string[] = []
let handedIn: Uint8Array | undefined
const portsFor = (more: Partial<Pick<PendingEditPorts, 'submit' | 'askConflict' | 'take'>> = {}) => {
  account += 1
  return {
    records: accountRecords(account),
    drafts: draftsOf(account),
    contentOf: async () => writeText('第一行\n第二行的内容更长一些\n', form),
    lock: async () => void told.push('lock'),
    unlock: async () => void told.push('unlock'),
    submit: async (_: unknown, version: number, bytes: Uint8Array) => {
      told.push(`submit of ${version}`)
      handedIn = bytes
      return { version: version + 1 }
    },
    take: async (): Promise<(() => void) | undefined> => () => undefined,
    askConflict: async (): Promise<number | undefined> => undefined,
    ...more,
  }
}
beforeEach(() => {
  ;[told, handedIn] = [[], undefined]
})
const draft = { fileId: 5, fileName: '接口.md', version: 3, text: '第一行\n改过的内容也更长一些\n', changedAt: 9 }

// [R176] Only unsubmitted changes are offered to submit or, after a question, to discard.
it('[R176] is handed in under the lock as what was made of its version, in the encoding of that, and counts as submitted', async () => {
  const ports = portsFor()
  await ports.records.storeEdit(edit)
  await ports.drafts.keep(draft)
  expect(await submitPending(edit, ports)).toBe(4)
  expect(told).toEqual(['lock', 'submit of 3', 'unlock'])
  expect(handedIn).toEqual(writeText(draft.text, form))
  expect(await ports.drafts.of(5)).toBeUndefined()
  const [kept] = await ports.records.edits()
  expect([kept?.state, kept?.version, kept && copyStatus(kept, 4)]).toEqual([EditState.submitted, 4, 2])
})

// [R175] Changed, submitted and discarded edits; refused submissions remain.
it('[R175] stays as it is where the server refuses it, and where another tab has typed on', async () => {
  const refused = portsFor({ submit: () => Promise.reject(new Error('fileConflict')) })
  await refused.records.storeEdit(edit)
  await refused.drafts.keep(draft)
  await expect(submitPending(edit, refused)).rejects.toThrow('fileConflict')
  expect(told).toEqual(['lock', 'unlock'])
  expect(await refused.drafts.of(5)).toEqual(draft)
  expect((await refused.records.edits())[0]?.state).toBe(EditState.changed)

  const typedOn = portsFor()
  await typedOn.records.storeEdit(edit)
  await typedOn.drafts.keep(draft)
  const later = { ...draft, text: '还在写', changedAt: 10 }
  const submit: PendingEditPorts['submit'] = async () => {
    await typedOn.drafts.keep(later)
    return { version: 4 }
  }
  await submitPending(edit, { ...typedOn, submit })
  expect(await typedOn.drafts.of(5)).toEqual(later)
  expect((await typedOn.records.edits())[0]?.state).toBe(EditState.changed)
})

// [R175] Discarding sets 0 and deletes the draft and the lock.
it('[R175] given up is 0, without its words and its lock', async () => {
  const ports = portsFor()
  await ports.records.storeEdit(edit)
  await ports.drafts.keep(draft)
  await discardPending(edit, ports)
  expect([await ports.drafts.of(5), (await ports.records.edits())[0]?.state, told]).toEqual([undefined, 0, ['unlock']])
})

// [R174] Edits submitted later ask about a newer version as the editor does.
it('[R174] a newer version is asked about: on top of it, or left with all its words', async () => {
  const conflict = new CallError('submitFile', { code: 'fileConflict', number: -39, message: '', quiet: true })
  for (const newest of [8, undefined]) {
    told = []
    const ports = portsFor({
      submit: async (_, version, _bytes, madeOf) => {
        told.push(`submit of ${version}${madeOf === undefined ? '' : ` over ${madeOf}`}`)
        if (version < 8) throw conflict
        return { version: version + 1 }
      },
      askConflict: async () => newest,
    })
    await ports.records.storeEdit(edit)
    await ports.drafts.keep(draft)
    expect(await submitPending(edit, ports)).toBe(newest === undefined ? 'left' : 9)
    expect(told).toEqual(['lock', 'submit of 3', ...(newest === undefined ? [] : ['submit of 8 over 3']), 'unlock'])
    expect(await ports.drafts.of(5)).toEqual(newest === undefined ? draft : undefined)
  }
})

// [R175] Edits of an open editor are neither submitted nor discarded from the list.
it('[R175] is neither handed in nor given up while an editor has the file, which would lose its lock', async () => {
  const ports = portsFor({ take: async () => undefined })
  await ports.records.storeEdit(edit)
  await ports.drafts.keep(draft)
  expect([await submitPending(edit, ports), await discardPending(edit, ports), told]).toEqual(['edited', 'edited', []])
  expect(await ports.drafts.of(5)).toEqual(draft)
})

/** Builds an office file from its main part and related parts. */
function packed(
  main: string,
  xml: string,
  beside: readonly (readonly [kind: string, path: string, xml: string])[] = [],
) {
  const relations = (all: readonly (readonly [kind: string, target: string])[]): Uint8Array =>
    strToU8(
      `<Relationships>${all.map(([kind, target], n) => `<Relationship Id="r${n}" Type="x/${kind}" Target="/${target}"/>`).join('')}</Relationships>`,
    )
  const cut = main.lastIndexOf('/') + 1
  return zipSync({
    '_rels/.rels': relations([['officeDocument', main]]),
    [main]: strToU8(xml),
    [`${main.slice(0, cut)}_rels/${main.slice(cut)}.rels`]: relations(beside.map(([kind, path]) => [kind, path])),
    ...Object.fromEntries(beside.map(([, path, content]) => [path, strToU8(content)])),
  })
}

const words = '<a:p><a:r><a:t>旧</a:t></a:r></a:p>'
const officeFiles = [
  {
    ext: 'docx',
    part: 'word/document.xml',
    base: packed('word/document.xml', '<w:document><w:body><w:p><w:r><w:t>旧</w:t></w:r></w:p></w:body></w:document>'),
    draftOf: (base: Uint8Array) => {
      const document = openDocument(base)
      return document.written(
        document.schema.node('doc', null, document.schema.node('paragraph', null, document.schema.text('新'))),
      )
    },
  },
  {
    ext: 'xlsx',
    part: 'xl/s.xml',
    base: packed('xl/workbook.xml', '<workbook><sheets><sheet name="a" sheetId="1" r:id="r0"/></sheets></workbook>', [
      ['worksheet', 'xl/s.xml', '<worksheet><sheetData/></worksheet>'],
    ]),
    draftOf: (base: Uint8Array) => {
      const book = openWorkbook(base)
      book.type('xl/s.xml', [{ row: 0, column: 0, text: '新' }])
      return book.draft()
    },
  },
  {
    ext: 'pptx',
    part: 'ppt/s.xml',
    base: packed(
      'ppt/presentation.xml',
      '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r0"/></p:sldIdLst></p:presentation>',
      [
        [
          'slide',
          'ppt/s.xml',
          `<p:sld><p:cSld><p:spTree><p:sp><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></a:xfrm></p:spPr><p:txBody>${words}</p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
        ],
      ],
    ),
    draftOf: (base: Uint8Array) => {
      const deck = openSlides(base)
      deck.type(0, '新')
      return deck.draft()
    },
  },
]

// [R175] Stored drafts of documents, workbooks and presentations are submitted as their editors would.
it.each(officeFiles)(
  '[R175] [R176] [R198] what is kept of a $ext is handed in as its editor would, and counts as submitted',
  async ({ ext, part, base, draftOf }) => {
    const ports = { ...portsFor(), contentOf: async () => base }
    const own = { ...edit, fileName: `文件.${ext}` }
    await ports.records.storeEdit(own)
    await ports.drafts.keep({ ...draft, fileName: own.fileName, text: draftOf(base) })
    expect(await submitPending(own, ports)).toBe(4)
    const [before, after] = [unzipSync(base), unzipSync(handedIn ?? new Uint8Array())]
    expect(strFromU8(after[part] ?? new Uint8Array())).toContain('新')
    expect(after['_rels/.rels']).toEqual(before['_rels/.rels'])
    expect((await ports.records.edits())[0]?.state).toBe(EditState.submitted)
  },
)
