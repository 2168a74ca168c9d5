// Signing over the wire: launching, signing in order and at once, refusing, archiving, and who learns of what.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PushPayload } from '@cloudoc/contract'
import { rightsGroup, SignState, signFieldKinds } from '@cloudoc/domain'
import fc from 'fast-check'
import { sql } from 'kysely'
import { generateSync } from 'otplib'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { openWorld, Person, password, sharedWorld, type World } from '../../../test/harness.ts'
import { login, tokenOf } from '../../../test/sign-in.ts'
import { contract, smallPicture } from '../../../test/signing.ts'
import { passDeadlines, signing } from './feature.ts'

const run = promisify(execFile)
const world = sharedWorld()
const hour = 60 * 60_000

beforeAll(async () => {
  await (await world.admin()).call('createSignAuthority', { name: '青云科技' })
})

interface Launched {
  readonly activityId: number
  readonly fileId: number
  readonly folderId: number
}

async function launched(
  launcher: Person,
  signers: readonly Person[],
  more: { order?: boolean; deadline?: number; level?: number } = {},
): Promise<Launched> {
  const folderId = await launcher.folder(launcher.library, `签署 ${Math.random()}`)
  const fileId = await launcher.upload(folderId, '合同.pdf', await contract())
  const { activityId } = await launcher.call('launchSign', {
    ...{ fileId, archiveFolderId: folderId, title: '采购合同', comment: '请签', order: more.order ?? true },
    ...(more.deadline !== undefined && { deadline: more.deadline }),
    singerList: signers.map(({ userId }) => ({ userId })),
  })
  return { activityId, fileId, folderId }
}

const revisionFor = async (person: Person, activityId: number): Promise<number> =>
  (await person.call('getSignDetail', { activityId })).revision

const signs = async (person: Person, activityId: number) =>
  person.call('sign', { activityId, revision: await revisionFor(person, activityId), password })

async function told(person: Person): Promise<PushPayload<'fileSign'>[]> {
  await person.world.app.settle()
  const { list } = await person.call('getNoticeList', { group: 'fileSign', unread: true, rows: 100 })
  return list.map(({ message }) => JSON.parse(message) as PushPayload<'fileSign'>).reverse()
}

/** The text of each page without spaces. */
async function textOf(pdf: Buffer): Promise<string[]> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 })
  const document = await task.promise
  const texts: string[] = []
  for (let n = 1; n <= document.numPages; n += 1) {
    const { items } = await (await document.getPage(n)).getTextContent()
    texts.push(
      items
        .map((item) => ('str' in item ? item.str : ''))
        .join('')
        .replace(/\s/g, ''),
    )
  }
  await task.destroy()
  return texts
}

async function file(person: Person, activityId: number): Promise<Buffer> {
  const answer = await person.world.app.http.inject({
    url: `/services2/sign/getSignFile/${activityId}`,
    headers: { authorization: `Bearer ${person.token}` },
  })
  return answer.rawPayload
}

async function broken({ app }: World): Promise<unknown[]> {
  const found = await Promise.all((signing.checks ?? []).map(({ broken: rows }) => sql`${rows}`.execute(app.db)))
  return found.flatMap(({ rows }) => rows)
}

const counted = async (person: Person) => {
  const { list } = await person.call('getCounters', {})
  const of = (wanted: string) => list.find(({ name }) => name === wanted)?.count ?? 0
  return [of('signReview'), of('signCreation')]
}

test('an open session makes itself no proof: a factor that is only offered, or was set up in it, signs nothing', {
  timeout: 120_000,
}, async () => {
  const [anna, ben] = [await world.person('a'), await world.person('b')]
  const { activityId } = await launched(anna, [ben])
  const by = (factorCode: string) => ({ activityId, revision: 0, factorCode })
  const { secret } = await ben.call('beginSecondFactor', {})
  const shown = (): string => generateSync({ secret, epoch: Date.now() / 1000 })
  expect(await ben.refusal('sign', by(shown()))).toBe('wrongSecondFactor')
  const { recoveryCodes } = await ben.call('confirmSecondFactor', { factorCode: shown() })
  const [one = '', other = ''] = recoveryCodes
  expect(await ben.refusal('sign', by(one))).toBe('wrongSecondFactor')
  const signedIn = await login(world, { userName: ben.account, clientType: 8, factorCode: one })
  const later = new Person(world, ben.account, ben.userId, tokenOf(signedIn), ben.library)
  expect(await later.call('sign', by(other))).toMatchObject({ revision: 1 })
})

describe('signing in order', () => {
  // [R275] Signers act in order, each by the password; the archive holds the file with all signatures, which readers of
  // PDF call valid, and a page of evidence.
  // [R277] Push 58 tells the signers 1, the launcher 2, and the signers 8.
  // [R335] Push 58 is a notice of signing for whose turn it is, and for the launcher.
  test('[R275] [R277] [R335] goes from signer to signer, and ends in the archive', { timeout: 120_000 }, async () => {
    const [anna, ben, cara] = [await world.person('a'), await world.person('b'), await world.person('c')]
    const { activityId, fileId, folderId } = await launched(anna, [ben, cara])
    expect((await told(ben)).map(({ activityState }) => activityState)).toEqual([SignState.launched])
    expect(await told(cara)).toEqual([])
    expect(await counted(ben)).toEqual([1, 0])
    expect(await counted(anna)).toEqual([0, 1])
    expect(await cara.refusal('sign', { activityId, revision: 0, password })).toBe('noPermission')
    expect(await ben.refusal('sign', { activityId, revision: 0, password: 'wrong' })).toBe('wrongPassword')
    const { signatureId } = await ben.call('createSignature', { kind: 'drawn', name: '签名', picture: smallPicture })
    const before = await file(ben, activityId)
    const done = await ben.call('sign', { activityId, revision: 0, signatureId, password })
    expect(done).toEqual({ revision: 1, activityState: SignState.signed })
    const after = await file(cara, activityId)
    expect(after.subarray(0, before.length).equals(before)).toBe(true)
    expect(await ben.refusal('sign', { activityId, revision: 1, password })).toBe('alreadyHandled')
    expect(await counted(ben)).toEqual([0, 0])
    expect((await told(anna)).map(({ activityState }) => activityState)).toEqual([SignState.signed])
    await cara.call('approveSign', { activityId, revision: 1, password })
    await expect.poll(async () => (await anna.call('getSignDetail', { activityId })).state).toBe('archived')
    expect((await anna.names(folderId)).toSorted()).toEqual(
      ['合同.pdf', '采购合同-签署证明.pdf', '采购合同.pdf'].toSorted(),
    )
    expect((await told(ben)).map(({ activityState }) => activityState)).toEqual([SignState.archived])
    const { archivedFileId } = await anna.call('getSignDetail', { activityId })
    expect(await ben.refusal('getSignDetail', { activityId: 987_654_321 })).toBe('notFound')
    const { list, isChangedSince } = await anna.call('checkFileSign', { fileId: archivedFileId })
    expect(list.map(({ subject, isIntact, isTrusted }) => [subject, isIntact, isTrusted])).toEqual([
      [ben.account, true, true],
      [cara.account, true, true],
    ])
    expect(isChangedSince).toBe(false)
    const folder = await mkdtemp(join(tmpdir(), 'cloudoc-signed-'))
    const path = join(folder, 'signed.pdf')
    await writeFile(path, await file(anna, activityId))
    const { stdout } = await run('pdfsig', [path])
    expect(stdout.split('Signature is Valid.').length - 1, stdout).toBe(2)
    expect(stdout.split('ETSI.CAdES.detached').length - 1).toBe(2)
    await rm(folder, { recursive: true })
    const { list: items } = await anna.call('getSubItemList3', { folderId, rows: 100 })
    expect((items.find(({ fId }) => fId === fileId)?.itemStatus ?? 0) & 2_097_152).toBe(0)
    expect(await broken(world)).toEqual([])
  })

  // [R278] A file that is being signed is neither moved, deleted nor replaced, by itself or with a folder above it.
  test('[R278] [R133] locks its file, and the folders above it', async () => {
    const [anna, ben] = [await world.person('a'), await world.person('b')]
    const { activityId, fileId, folderId } = await launched(anna, [ben])
    const target = await anna.folder(anna.library, '别处')
    const marked = (await anna.call('getSubItemList3', { folderId, rows: 100 })).list.find(({ fId }) => fId === fileId)
    expect((marked?.itemStatus ?? 0) & 2_097_152).toBe(2_097_152)
    expect(await anna.uploadWire(folderId, '合同.pdf', 'new', { conflict: 'version' })).toMatchObject({ result: -40 })
    for (const items of [{ fileIdArray: [fileId] }, { folderIdArray: [folderId] }]) {
      expect(await anna.refusal('fileOrFolderDelete', items)).toBe('fileLocked')
      expect(await anna.refusal('fileOrFolderMove', { ...items, targetFolderId: target })).toBe('fileLocked')
    }
    await anna.call('withdrawSign', { activityId })
    const free = (await anna.call('getSubItemList3', { folderId, rows: 100 })).list.find(({ fId }) => fId === fileId)
    expect((free?.itemStatus ?? 0) & 2_097_152).toBe(0)
    expect(await ben.refusal('sign', { activityId, revision: 0, password })).toBe('alreadyHandled')
  })
})

describe('nobody signs what they have not seen', () => {
  test('of two who sign at the same moment one is told to look again', { timeout: 120_000 }, async () => {
    const [anna, ben, cara] = [await world.person('a'), await world.person('b'), await world.person('c')]
    const { activityId } = await launched(anna, [ben, cara], { order: false })
    const outcomes = await Promise.allSettled(
      [ben, cara].map((who) => who.call('sign', { activityId, revision: 0, password })),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await revisionFor(anna, activityId)).toBe(1)
    const late = outcomes[0]?.status === 'rejected' ? ben : cara
    expect(await late.refusal('sign', { activityId, revision: 0, password })).toBe('fileConflict')
    await signs(late, activityId)
    await expect.poll(async () => (await anna.call('getSignDetail', { activityId })).state).toBe('archived')
  })

  test('a process that ends between signing and storing leaves the file unsigned', async () => {
    let stops = false
    const own = await openWorld({
      pause: async (point: string) => {
        if (stops && point === 'signed') throw new Error('the process ends here')
      },
    })
    await (await own.admin()).call('createSignAuthority', { name: '青云科技' })
    const [anna, ben] = [await own.person('a'), await own.person('b')]
    const { activityId } = await launched(anna, [ben])
    stops = true
    await expect(ben.call('sign', { activityId, revision: 0, password })).rejects.toThrow()
    expect(await anna.call('getSignDetail', { activityId })).toMatchObject({ revision: 0, state: 'running' })
    stops = false
    await ben.call('sign', { activityId, revision: 0, password })
    expect((await anna.call('checkSign', { activityId })).list).toHaveLength(1)
    expect(await broken(own)).toEqual([])
  })

  test('someone who opened it first keeps others from signing for a while', async () => {
    const [anna, ben, cara] = [await world.person('a'), await world.person('b'), await world.person('c')]
    const { activityId } = await launched(anna, [ben, cara], { order: false })
    await ben.call('lockSign', { activityId })
    expect(await cara.refusal('lockSign', { activityId })).toBe('fileLocked')
    expect(await cara.refusal('sign', { activityId, revision: 0, password })).toBe('fileLocked')
    await ben.call('unlockSign', { activityId })
    await cara.call('lockSign', { activityId })
  })
})

describe('refusing, handing on and the deadline', () => {
  // [R277] Push 58 tells those who signed 4 and the reason once somebody refuses.
  test('[R277] who refuses says why, ends it for all, and those who signed are told', async () => {
    const [anna, ben, cara] = [await world.person('a'), await world.person('b'), await world.person('c')]
    const { activityId } = await launched(anna, [ben, cara])
    await signs(ben, activityId)
    expect(await cara.refusal('rejectSign', { activityId, comments: ' ' })).toBe('badRequest')
    await cara.call('rejectSign', { activityId, comments: '金额有误' })
    expect((await told(ben)).map(({ activityState, comments }) => [activityState, comments])).toEqual([
      [SignState.rejected, '金额有误'],
    ])
    const detail = await anna.call('getSignDetail', { activityId })
    expect(detail).toMatchObject({ state: 'rejected', activityState: SignState.rejected, revision: 1 })
    expect(await cara.refusal('sign', { activityId, revision: 1, password })).toBe('alreadyHandled')
  })

  test('what is handed on is signed by the other one', async () => {
    const [anna, ben, cara] = [await world.person('a'), await world.person('b'), await world.person('c')]
    const { activityId } = await launched(anna, [ben])
    await ben.call('handOnSign', { activityId, userId: cara.userId })
    expect(await ben.refusal('getSignDetail', { activityId })).toBe('notFound')
    await signs(cara, activityId)
    expect((await anna.call('checkSign', { activityId })).list.map(({ subject }) => subject)).toEqual([cara.account])
  })

  test('after the deadline nobody signs', async () => {
    const [anna, ben] = [await world.person('a'), await world.person('b')]
    const deadline = Date.now() + hour
    const { activityId } = await launched(anna, [ben], { deadline })
    await passDeadlines(world.app.services, deadline - 1)
    expect((await ben.call('getSignDetail', { activityId })).may.sign).toBe(true)
    await passDeadlines(world.app.services, deadline)
    expect((await ben.call('getSignDetail', { activityId })).state).toBe('expired')
    expect(await ben.refusal('sign', { activityId, revision: 0, password })).toBe('alreadyHandled')
  })
})

describe('launching', () => {
  // [R276] A launch needs a title, and an archive folder in which the launcher may upload.
  // [R274] A launch has a title, a folder in which the launcher may upload, and signers of the level of the file.
  test('[R274] [R276] [R391] refuses what cannot be signed to its end', async () => {
    const [anna, ben] = [await world.person('a'), await world.person('b')]
    const folderId = await anna.folder(anna.library, '签')
    const fileId = await anna.upload(folderId, '合同.pdf', await contract())
    const base = { fileId, archiveFolderId: folderId, title: '合同', singerList: [{ userId: ben.userId }] }
    expect(await anna.refusal('launchSign', { ...base, title: ' ' })).toBe('badRequest')
    expect(await anna.refusal('launchSign', { ...base, comment: '字'.repeat(301) })).toBe('badRequest')
    expect(await anna.refusal('launchSign', { ...base, archiveFolderId: ben.library })).toBe('notFound')
    expect(await anna.refusal('launchSign', { ...base, singerList: [{ userId: 987_654_321 }] })).toBe('notFound')
    const broken = await anna.upload(folderId, '坏.pdf', '%PDF-1.7 nothing')
    expect(await anna.refusal('launchSign', { ...base, fileId: broken })).toBe('conversionFailed')
    await anna.call('launchSign', { ...base, comment: '字'.repeat(300) })
    expect(await anna.refusal('launchSign', base)).toBe('alreadyInProcess')
  })

  // [R275] Whether the archive folder has room for the signed file is asked before anybody signs.
  test('[R275] is refused while the archive folder, or the space of its owner, has no room for the signed file', async () => {
    const admin = await world.admin()
    const [anna, ben] = [await world.person('a'), await world.person('b')]
    const [folderId, archiveFolderId] = [
      await anna.folder(anna.library, '合同'),
      await anna.folder(anna.library, '归档'),
    ]
    const fileId = await anna.upload(folderId, '合同.pdf', await contract())
    const launch = () =>
      anna.wire('launchSign', {
        ...{ fileId, archiveFolderId, title: '合同' },
        singerList: [{ userId: ben.userId }],
      })
    // The file itself has room, not what the signature and the page of evidence add.
    await anna.call('setFolderLimit', { folderId: archiveFolderId, limit: 40_000 })
    const full = await launch()
    expect([full.code, full.msg.includes('归档文件夹放不下签署后的文件（约 1 MB），请换一个归档文件夹')]).toEqual([
      'folderSizeExceeded',
      true,
    ])
    await anna.call('setFolderLimit', { folderId: archiveFolderId, limit: 0 })
    await admin.call('modifyAccount', { userId: anna.userId, quota: 40_000 })
    expect((await launch()).code).toBe('userSizeExceeded')
    expect((await anna.call('getSignCreationList', {})).total).toBe(0)
    await admin.call('modifyAccount', { userId: anna.userId, quota: 1_000_000 })
    expect((await launch()).code).toBe('success')
  })

  // [R276] People below the level of the file are not offered as signers, and a launch that names them is refused with
  // their names.
  test('[R276] [R233] names the signers below the level of the file, and sends nothing', async () => {
    const anna = await world.person('a', { secretLevel: 2 })
    const [ben, cara, dora] = [
      await world.person('b', { secretLevel: 1 }),
      await world.person('c', { secretLevel: 2 }),
      await world.person('d'),
    ]
    const folderId = await anna.folder(anna.library, '密')
    const fileId = await anna.upload(folderId, '合同.pdf', await contract())
    await anna.call('setSecretLevel', { fileIdArray: [fileId], secretLevel: 2, duration: 3, unit: 2 })
    const launch = (people: readonly Person[]) =>
      anna.wire('launchSign', {
        ...{ fileId, archiveFolderId: folderId, title: '合同' },
        singerList: people.map(({ userId }) => ({ userId })),
      })
    const refused = await launch([ben, cara, dora])
    expect(refused.code).toBe('secretLevel')
    expect(refused.msg).toContain(`${ben.account}、${dora.account} 的密级低于文件密级`)
    expect(refused.msg).not.toContain(cara.account)
    expect((await anna.call('getSignCreationList', {})).total).toBe(0)
    expect((await launch([cara])).code).toBe('success')
  })

  // [R279] A template that is chosen at the launch is drawn on each page before anybody signs, so it is part of what all
  // see and sign and of the archived file; one of somebody else is unknown.
  test('[R279] a watermark is part of what is signed', async () => {
    const [anna, ben] = [await world.person('a'), await world.person('b')]
    const own = await anna.call('saveOwnWatermark', { templateName: '合同', text: '{name}\n仅供签署' })
    const folderId = await anna.folder(anna.library, '水印')
    const fileId = await anna.upload(folderId, '合同.pdf', await contract())
    const launch = {
      ...{ fileId, archiveFolderId: folderId, title: '采购合同', watermarkTemplateId: own.templateId },
      singerList: [{ userId: ben.userId }],
    }
    await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.edit }])
    expect(await ben.refusal('launchSign', launch)).toBe('notFound')
    const { activityId } = await anna.call('launchSign', launch)
    const shown = await textOf(await file(ben, activityId))
    for (const page of shown) expect(page).toContain(`${anna.account}仅供签署`)
    await signs(ben, activityId)
    await expect.poll(async () => (await anna.call('getSignDetail', { activityId })).state).toBe('archived')
    const { archivedFileId } = await anna.call('getSignDetail', { activityId })
    const { list } = await anna.call('checkFileSign', { fileId: archivedFileId })
    expect(list.map(({ isIntact, isTrusted }) => [isIntact, isTrusted])).toEqual([[true, true]])
  })

  test('all kinds of places are filled, the seal only by those who may use it', async () => {
    const [anna, ben] = [await world.person('a'), await world.person('b')]
    const admin = await world.admin()
    const { sealId } = await admin.call('createSeal', { name: '合同章', picture: smallPicture })
    const folderId = await anna.folder(anna.library, '签')
    const fileId = await anna.upload(folderId, '合同.pdf', await contract())
    const places = signFieldKinds.map((kind, n) => ({ kind, page: 1, x: 60, y: 80 + 90 * n, width: 150, height: 60 }))
    const { activityId } = await anna.call('launchSign', {
      ...{ fileId, archiveFolderId: folderId, title: '合同', singerList: [{ userId: ben.userId, places }] },
    })
    const { fields } = await ben.call('getSignDetail', { activityId })
    const text = { fieldId: fields.find(({ kind }) => kind === 'text')?.fieldId ?? 0, text: '同意' }
    const all = { activityId, revision: 0, texts: [text], sealId, password }
    expect(await ben.refusal('sign', all)).toBe('noPermission')
    await admin.call('updateSeal', { sealId, name: '合同章', userIdArray: [ben.userId] })
    expect(await ben.refusal('sign', { ...all, texts: [] })).toBe('badRequest')
    // What the shipped font cannot draw is named, instead of a box in the contract.
    const rare = await ben.wire('sign', { ...all, texts: [{ ...text, text: '同意 𠮷' }] })
    expect([rare.code, rare.msg]).toEqual(['badRequest', expect.stringContaining('“𠮷”')])
    await ben.call('sign', all)
    expect((await anna.call('checkSign', { activityId })).list).toHaveLength(2)
    const { list } = await admin.call('getSealUseList', { sealId })
    expect(list.map(({ isDone, userId }) => [isDone, userId])).toEqual([
      [true, ben.userId],
      [false, ben.userId],
      [false, ben.userId],
      [false, ben.userId],
    ])
  })

  // [R275] A signature or a seal stands on every page, or in slices across the edges of all pages, by one signature.
  test('[R275] a picture on every page and a seal across the edges are one signature each', {
    timeout: 120_000,
  }, async () => {
    const [anna, ben] = [await world.person('a'), await world.person('b')]
    const admin = await world.admin()
    const { sealId } = await admin.call('createSeal', {
      ...{ name: '骑缝章', picture: smallPicture, userIdArray: [ben.userId] },
    })
    const folderId = await anna.folder(anna.library, '签')
    const fileId = await anna.upload(folderId, '合同.pdf', await contract(45))
    const places = [
      { kind: 'signature', spread: 'every', page: 2, x: 60, y: 80, width: 150, height: 60 },
      { kind: 'seal', spread: 'edge', page: 45, x: 300, y: 400, width: 120, height: 120 },
    ] as const
    const { activityId } = await anna.call('launchSign', {
      ...{
        fileId,
        archiveFolderId: folderId,
        title: '合同',
        singerList: [{ userId: ben.userId, places: [...places] }],
      },
    })
    await ben.call('sign', { activityId, revision: 0, sealId, password })
    const { list, isChangedSince } = await anna.call('checkSign', { activityId })
    expect([list.map(({ isIntact }) => isIntact), isChangedSince]).toEqual([[true, true], false])
    const task = getDocument({ data: new Uint8Array(await file(anna, activityId)), verbosity: 0 })
    const document = await task.promise
    const strips: number[] = []
    for (let n = 1; n <= 45; n += 1) {
      const shown = (await (await document.getPage(n)).getAnnotations()) as { rect: number[]; hasAppearance: boolean }[]
      expect(shown.every(({ hasAppearance }) => hasAppearance)).toBe(true)
      const [every, edge] = [shown.find(({ rect }) => rect[0] === 60), shown.find(({ rect }) => rect[0] !== 60)]
      expect(every?.rect).toEqual([60, 80, 210, 140])
      expect(Math.round(edge?.rect[2] ?? 0)).toBe(595)
      strips.push(Math.round((edge?.rect[2] ?? 0) - (edge?.rect[0] ?? 0)))
    }
    // Three groups of fifteen pages.
    expect(new Set(strips)).toEqual(new Set([8]))
    await task.destroy()
  })

  // [R273] Signatures are created, read, changed and deleted by the person whose they are, and unknown to anybody else.
  test('[R273] signatures are created, read, changed and deleted by their person alone', async () => {
    const [anna, ben] = [await world.person('a'), await world.person('b')]
    const make = (name: string, isDefault: boolean) =>
      anna.call('createSignature', { kind: 'drawn', name, picture: smallPicture, isDefault })
    const [{ signatureId }, second] = [await make('全名', true), await make('草签', false)]
    const shown = async () =>
      (await anna.call('getSignatureList', {})).list.map(({ name, isDefault }) => [name, isDefault])
    expect(new Set(await shown())).toEqual(
      new Set([
        ['全名', true],
        ['草签', false],
      ]),
    )
    await anna.call('updateSignature', { signatureId: second.signatureId, name: '小签', isDefault: true })
    expect(new Set(await shown())).toEqual(
      new Set([
        ['全名', false],
        ['小签', true],
      ]),
    )
    expect((await ben.call('getSignatureList', {})).list).toEqual([])
    expect(await ben.refusal('updateSignature', { signatureId, name: 'x' })).toBe('notFound')
    expect(await ben.refusal('deleteSignature', { signatureId })).toBe('notFound')
    await anna.call('deleteSignature', { signatureId })
    expect(await shown()).toEqual([['小签', true]])
  })

  test('no key is in an answer, and stored keys are sealed', async () => {
    const admin = await world.admin()
    const { authority } = await admin.call('getSignAuthority', {})
    expect(authority?.pem).toContain('BEGIN CERTIFICATE')
    const answers = JSON.stringify([authority, await admin.call('getSignCertificateList', {})])
    expect(answers).not.toMatch(/PRIVATE KEY|sealed/)
    const { rows } = await sql<{ sealed_key: string }>`select sealed_key from sign_certificate`.execute(world.app.db)
    for (const { sealed_key } of rows) {
      const text = Buffer.from(sealed_key, 'base64').toString('latin1')
      // PKCS#8 begins with a sequence, and names the algorithm of its key.
      expect(Buffer.from(text, 'latin1').includes(Buffer.from('2a864886f70d010101', 'hex'))).toBe(false)
    }
  })
})

describe('states and actors', () => {
  test('only the right actor acts in each state', { timeout: 120_000 }, async () => {
    const people = [await world.person('a'), await world.person('b'), await world.person('c'), await world.person('d')]
    const [anna, ben, cara] = people as [Person, Person, Person, Person]
    const acts = fc.array(
      fc.record({ who: fc.nat(3), act: fc.constantFrom('sign', 'reject', 'withdraw', 'handOn', 'remind') }),
      { maxLength: 5 },
    )
    await fc.assert(
      fc.asyncProperty(acts, fc.boolean(), async (list, order) => {
        const { activityId } = await launched(anna, [ben, cara], { order })
        const model = { state: 'running', turn: order ? [1] : [1, 2], open: [1, 2] }
        for (const { who, act } of list) {
          const person = people[who] as Person
          const isTurn = model.state === 'running' && model.turn.includes(who)
          const may = act === 'withdraw' || act === 'remind' ? who === 0 && model.state === 'running' : isTurn
          const revision = await revisionFor(anna, activityId)
          const handed = people[3] as Person
          const call = {
            sign: () => person.call('sign', { activityId, revision, password }),
            reject: () => person.call('rejectSign', { activityId, comments: '不' }),
            withdraw: () => person.call('withdrawSign', { activityId }),
            remind: () => person.call('remindSign', { activityId }),
            handOn: () => person.call('handOnSign', { activityId, userId: handed.userId }),
          }[act]
          const hasHanded = act === 'handOn' && model.open.includes(3)
          const done = await call().then(
            () => true,
            () => false,
          )
          if (act !== 'remind') expect(done, `${who} ${act} ${JSON.stringify(model)}`).toBe(may && !hasHanded)
          if (!done) continue
          if (act === 'withdraw' || act === 'reject') model.state = 'over'
          if (act === 'handOn') {
            model.turn = model.turn.map((one) => (one === who ? 3 : one))
            model.open = model.open.map((one) => (one === who ? 3 : one))
          }
          if (act === 'sign') {
            model.open = model.open.filter((one) => one !== who)
            model.turn = order ? model.open.slice(0, 1) : model.open
            if (model.open.length === 0) model.state = 'over'
          }
        }
        expect(await broken(world)).toEqual([])
      }),
      { numRuns: inject('full') ? 20 : 2 },
    )
  })
})
