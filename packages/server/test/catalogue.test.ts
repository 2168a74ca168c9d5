/*
 * Invariants of all calls, so that a new call is checked without a test of its own. Inputs are generated from the
 * call's schema and its sample. A call without a sample that its schema accepts fails its tests here.
 */
import { randomUUID } from 'node:crypto'
import {
  type Call,
  type CallName,
  calls,
  callsByName,
  features,
  type ObjectUse,
  placeInput,
  type SampleIds,
} from '@cloudoc/contract'
import { type CodeName, codes, type Power, separatedPowers } from '@cloudoc/domain'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type Changes, watchRows } from './changes-of-rows.ts'
import { exchangeSamples } from './exchange.ts'
import { openWorld, Person, requestFor, type Wire, type World, wireOf } from './harness.ts'
import { storedMail } from './mails.ts'
import { loginWithCaptcha, tokenOf } from './sign-in.ts'
import { signingSamples } from './signing.ts'
import { smallProcess } from './workflows.ts'

const all = Object.entries(callsByName) as [CallName, Call][]
/** Calls for accounts. Calls for link visitors only are tested with visitors, in sharing/links. */
const ofAccounts = all.filter(([, call]) => call.actors?.includes('account') !== false)
const where = (test: (call: Call) => boolean) => ofAccounts.filter(([, call]) => test(call)).map(([name]) => name)
const needsSession = all.filter(([, call]) => call.auth === 'required' || call.auth === 'query').map(([name]) => name)
const guarded = all.flatMap(([name, call]) => ('guard' in call ? [[name, call.guard.name] as const] : []))
/** Who each guard refuses, and with which code. A new guard must be added. */
const refusedBy: Record<string, 'nobody with an account' | 'everybody with an account' | -4> = {
  administrator: -4,
  firstAdministrator: -4,
  systemAdministrator: -4,
  peopleAdministrator: -4,
  roleAdministrator: -4,
  securityAdministrator: -4,
  auditor: -4,
  linkOverseer: -4,
  workflowAdministrator: -4,
  ownAccount: 'nobody with an account',
  // Refuses sessions in visitor mode: people/account/visitor.test.ts tests each of these calls.
  accountHolder: 'nobody with an account',
  signedIn: 'nobody with an account',
  // Calls for those without an account: no session admits anybody (signing/activities/external-signers.test.ts).
  externalSigner: 'everybody with an account',
}

/** Administrative calls: the powers that each guard lets in, besides the first administrator. */
const lettingIn: Record<string, readonly Power[]> = {
  administrator: separatedPowers,
  firstAdministrator: [],
  systemAdministrator: ['system'],
  securityAdministrator: ['security'],
  auditor: ['audit'],
  linkOverseer: ['security', 'audit'],
  peopleAdministrator: ['system', 'department'],
  roleAdministrator: ['system', 'security'],
  workflowAdministrator: ['system', 'security'],
}
const administering = all.filter(([, call]) => 'guard' in call && call.guard.name in lettingIn)

/**
 * Calls that change state, name objects by id, and have neither a gate, whose items are recorded by themselves, nor
 * `audits`: why their audit row needs no id from the declaration.
 */
const auditedOtherwise: Readonly<Record<string, readonly string[]>> = {
  'the handler records the object with `context.audit`': [
    ...['login3', 'login3ByLoginKey', 'setDownloadLimit', 'removeDownloadLimit', 'setLinkPolicy', 'removeLinkPolicy'],
    ...['cancelLinks', 'settleLinkReports', 'endEditing', 'createPasswordLinks', 'setPowerHolders'],
    ...['linkServerAccount', 'loginByServer', 'acceptServerAccount', 'pauseLinkedServer', 'revokeLinkedKey'],
    ...['addTalkRule', 'askTalkExport', 'decideDevices'],
    ...['setLinkedServer', 'removeLinkedServer', 'deleteCompanyTag', 'saveWatermarkTemplate'],
    ...['deleteWatermarkTemplate', 'createGroup', 'importPeople', 'cancelImport', 'saveCompanyTag', 'getAccessReport'],
    ...['proposePowerHolders', 'decidePowerProposal', 'saveAnnouncement', 'endAnnouncement', 'remindOfAnnouncement'],
    ...['saveSensitiveRule', 'placeHold', 'previewHold', 'previewRetention'],
    ...['saveOwnWatermark', 'deleteOwnWatermark'],
    ...['setOperationRule', 'removeOperationRule'],
  ],
  'the object belongs to the caller, whom the row names': [
    ...['endMySessions', 'ignoreNotices', 'deleteRecentHistory'],
    ...['renameSavedSearch', 'deleteSavedSearch', 'saveTag', 'createMyProgram', 'putAnnouncementAway'],
    ...['cancelServerCopy', 'resumeServerCopy'],
  ],
}

/** How the input is transmitted. One function of the server parses each of these forms for all calls. */
const accessSource = (call: Call) => [call.payload, call.bodyField !== undefined, call.path.includes('{')].join()

/** A picture of one pixel. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='

type Json = Record<string, unknown>
const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') => z.toJSONSchema(schema, { io }) as Json
const propertiesOf = (call: Call) => Object.entries((jsonSchema(call.input, 'input')['properties'] ?? {}) as Json)
/**
 * For each form of transmission, the call with the most fields is tested in full. The other calls are tested with one
 * broken request of each kind.
 */
const triedInFull = new Set(
  [...Map.groupBy(all, ([, call]) => accessSource(call)).values()].map(
    (alike) => alike.toSorted(([, a], [, b]) => propertiesOf(b).length - propertiesOf(a).length)[0]?.[0],
  ),
)
const requiredOf = (call: Call) => (jsonSchema(call.input, 'input')['required'] ?? []) as string[]

describe('the catalogue', () => {
  test('[X37] no two calls share a name, or a method and path', () => {
    expect(
      Object.values(features)
        .flatMap((feature) => Object.keys(feature.calls))
        .sort(),
    ).toEqual(Object.keys(calls).sort())
    const routes = all.flatMap(([, call]) =>
      [call.path, ...(call.aliases ?? [])].map((path) => `${call.method} ${path.replace(/\{\w+\}/g, '{}')}`),
    )
    expect(routes.filter((route, i) => routes.indexOf(route) !== i)).toEqual([])
  })

  test('[R190] whatever changes an item says what the log of the item calls it, or its handler does', () => {
    const silent = all.filter(
      ([, call]) =>
        !['read', 'stream'].includes(call.kind) && call.log === undefined && ('gate' in call || 'batch' in call),
    )
    expect(silent.map(([name]) => name)).toEqual([])
  })

  test('whatever changes an object without a gate says which object its audit row names, or why it need not', () => {
    const naming = (call: Call): boolean => propertiesOf(call).some(([field]) => /(Ids?|IdArray)$/.test(field))
    const forgotten = ofAccounts.filter(
      ([, call]) =>
        !['read', 'stream'].includes(call.kind) &&
        !('gate' in call || 'batch' in call) &&
        (call.audits ?? []).length === 0 &&
        call.unrecorded !== true &&
        naming(call),
    )
    expect(forgotten.map(([name]) => name).toSorted()).toEqual(Object.values(auditedOtherwise).flat().toSorted())
  })

  test.each(all)('%s names one authority, and only a session can have one', (_name, call) => {
    const named = (['gate', 'batch', 'guard', 'open'] as const).filter((authority) => authority in call)
    expect(named).toHaveLength(1)
    expect('batch' in call).toBe(call.kind === 'batch')
    // A call that needs a session must have a gate or guard. Only a call that needs none may state a reason instead.
    expect(['none', 'optional'].includes(call.auth)).toBe('open' in call)
    if ('open' in call) expect(call.open.length).toBeGreaterThan(10)
    // A download ticket is a session for the items that it names. The call must have a gate that reads the ticket's
    // scope.
    if (call.auth === 'query') expect([named, call.kind]).toEqual([['gate'], 'stream'])
  })

  test.each(all)('%s takes and answers closed schemas', (_name, call) => {
    expect(openPlaces(jsonSchema(call.input, 'input'), 'input')).toEqual([])
    if (call.kind !== 'stream') expect(openPlaces(jsonSchema(call.data, 'output'), 'data')).toEqual([])
  })
})

/** Returns a person with a session in visitor mode. */
async function visitorOf(world: World, person: Person): Promise<Person> {
  const secret = 'Visit#2026'
  await person.call('resetNetDiskPwd', { newPassword: secret })
  const wire = await loginWithCaptcha(world, { userName: person.account, password: secret, visitor: true })
  return new Person(world, person.account, person.userId, tokenOf(wire), person.library)
}

/** Returns the paths at which a JSON schema accepts any value. */
function openPlaces(schema: Json, at: string): string[] {
  const kinds = ['type', 'const', 'enum', 'anyOf', 'oneOf', 'allOf', '$ref', 'not']
  if (!kinds.some((kind) => kind in schema)) return [at]
  const inside = (key: string): [string, Json][] => Object.entries((schema[key] ?? {}) as Record<string, Json>)
  return [
    ...(schema['type'] === 'object' && schema['additionalProperties'] !== false ? [at] : []),
    ...(schema['type'] === 'array' && !('items' in schema || 'prefixItems' in schema) ? [at] : []),
    ...[...inside('properties'), ...inside('$defs')].flatMap(([key, part]) => openPlaces(part, `${at}.${key}`)),
    ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((key) =>
      inside(key).flatMap(([i, part]) => openPlaces(part, `${at}.${key}.${i}`)),
    ),
    ...('items' in schema ? openPlaces(schema['items'] as Json, `${at}[]`) : []),
  ]
}

describe('every call', () => {
  let time = Date.now()
  let world: World
  let admin: Person
  let anna: Person
  let mallory: Person
  let unknownIds: Json
  let ids: SampleIds
  let foreign: { files: number[]; folders: number[] }
  /** Returns what was written since the last call. */
  let changes: Changes

  beforeAll(async () => {
    world = await openWorld({ elected: false, now: () => time })
    admin = await world.admin()
    anna = await world.person('anna')
    mallory = await world.person('mallory')
    const { groupId, library: libraryId } = await world.group('质量部')
    const { roleId } = await admin.call('createRole', { roleName: '审核员' })
    const { list: links } = await admin.call('createPasswordLinks', { userIds: [anna.userId] })
    const linkCode = links[0]?.linkCode
    const { avatar } = await admin.call('setAvatar', { picture: onePixel })
    const { folderId } = await admin.call('folderCreate', { parentId: admin.library, folderName: '样例' })
    const fileId = await admin.upload(folderId, '样例.txt')
    const { uploadId } = await admin.call('uploadOpen', { folderId, fileName: '大.bin', fileSize: 10 })
    await admin.shares({ folderId }, [{ to: anna, rights: 6 }])
    const changeId = (await admin.call('getShareHistory', { folderId })).list[0]?.changeId
    const target = { targetFolderId: admin.library, fileIdArray: [fileId] }
    const [link] = await admin.call('fileOrFolderLink', target)
    const { folderId: annasFolder } = await anna.call('folderCreate', { parentId: anna.library, folderName: '私' })
    const annasFile = await anna.upload(annasFolder, '私.txt')
    const ben = await world.person('ben')
    const bens = await ben.folder(ben.library, '借')
    await ben.shares({ folderId: bens }, [{ to: admin, rights: 6 }])
    const { authorizationId } = await admin.call('authorizationApply', { folderId: bens, right: 14 })
    const urgedFolder = await admin.folder(admin.library, '催')
    await admin.shares({ folderId: urgedFolder }, [{ to: ben, rights: 6 }])
    const urged = { folderId: urgedFolder, userIdArray: [ben.userId], message: '请处理' }
    const { notifyId } = await admin.call('addNotify', urged)
    const { externalId, linkToken } = await admin.call('externalCreate', {
      fileId,
      rights: 12,
      endTime: time + 3_600_000,
    })
    const { templateId } = await admin.call('saveWatermarkTemplate', { templateName: '样例', text: '{name}' })
    const own = await admin.call('saveOwnWatermark', { templateName: '样例', text: '{name}' })
    const { processTemplateId, processId } = await smallProcess(admin)
    const { boxId } = await admin.call('createMailbox', {
      ...{ account: 'admin@example.com', password: 'Test#2026', mailProtocol: 'imap', fetch: false },
      imapAddress: 'imap.invalid',
    })
    const mailId = await storedMail(world.app.db, admin.userId, boxId)
    const { outgoingId } = await admin.call('createMailDraft', { boxId })
    const { conversationId } = await admin.call('imCreateGroup', { name: '样例群', userIdArray: [ben.userId] })
    const talkUuid = randomUUID()
    const share = { conversationId, uuid: talkUuid, type: 'share', fType: 1, fId: fileId } as const
    const { number: messageNumber } = await admin.call('imSend', share)
    const uploaded = await world.app.http.inject({
      ...requestFor('imUpload', { conversationId, fileName: '样例.png' }, admin.token),
      payload: '样例',
    })
    const { fileId: talkFileId } = (wireOf(uploaded).data ?? {}) as { fileId: number }
    await admin.call('imSend', { conversationId, uuid: randomUUID(), type: 'file', fileId: talkFileId })
    const begun = await admin.call('imUploadOpen', { conversationId, fileName: '大.bin', fileSize: 10 })
    const signingIds = await signingSamples(admin, anna.userId, folderId)
    const exchangeIds = await exchangeSamples(world, admin, ben, fileId)
    foreign = { files: [annasFile, 0, 987_654_321], folders: [annasFolder, anna.library, 0, 987_654_321] }
    unknownIds = {
      uploadId: `${folderId}-${'x'.repeat(24)}`,
      authorizationId: 987_654_321,
      notifyId: 987_654_321,
      reviewId: 987_654_321,
      processId: 987_654_321,
      checkId: 987_654_321,
      externalId: 987_654_321,
      boxId: 987_654_321,
      mailId: 987_654_321,
      mailIdArray: [987_654_321],
      outgoingId: 987_654_321,
      conversationId: 987_654_321,
      applicationId: 987_654_321,
      activityId: 987_654_321,
      applyId: 987_654_321,
      approveId: 987_654_321,
    }
    ids = {
      now: time,
      library: admin.library,
      folderId,
      fileId,
      linkId: link?.linkId ?? 0,
      uploadId,
      borrowed: bens,
      authorizationId,
      notifyId,
      changeId: changeId ?? 0,
      externalId,
      linkToken,
      userId: anna.userId,
      successorId: mallory.userId,
      linkCode: linkCode ?? '',
      groupId,
      libraryId,
      roleId,
      pictureId: avatar,
      templateId,
      ownTemplateId: own.templateId,
      processTemplateId,
      processId,
      boxId,
      mailId,
      outgoingId,
      conversationId,
      messageNumber,
      talkFileId,
      talkUploadId: begun.uploadId,
      ...signingIds,
      ...exchangeIds,
    }
    changes = await watchRows(world.app.db)
  })

  /** The sample input of a call, with existing ids. */
  const legalInput = (name: CallName): Json => {
    const call = callsByName[name]
    const input: Json = call.sample?.(ids) ?? {}
    const parsed = call.input.safeParse(input)
    if (!parsed.success) throw new Error(`declare a sample of ${name} that it accepts: ${parsed.error.message}`)
    return input
  }

  let description: OpenApi | undefined
  const openApi = async (): Promise<OpenApi> =>
    (description ??= (await world.app.http.inject({ url: '/services2/openapi.json' })).json<OpenApi>())

  /** Every status that each call answered with. Each must be listed in openapi.json. */
  const answered = new Map<CallName, Set<number>>()
  const ask = async (request: InjectOptions, token?: string, name?: CallName): Promise<Wire> => {
    const headers = { ...request.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
    const wire = wireOf(await world.app.http.inject({ ...request, headers }))
    if (name !== undefined) answered.set(name, (answered.get(name) ?? new Set()).add(wire.status))
    return wire
  }

  test('what calls write is seen here, and what they take back is not', async () => {
    await changes()
    const { folderId } = await admin.call('folderCreate', { parentId: admin.library, folderName: '看' })
    expect(await changes()).toEqual(expect.arrayContaining(['event: insert', 'item: insert']))
    await admin.call('renameFolder', { folderId, folderName: '看见' })
    expect(await changes()).toEqual(expect.arrayContaining(['event: insert', 'item: update']))
    const takenBack = world.app.db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('item').where('id', '=', folderId).execute()
      throw new Error('taken back')
    })
    await expect(takenBack).rejects.toThrow('taken back')
    expect(await changes()).toEqual([])
  })

  test.each(needsSession)('%s without a session is refused with -69 and HTTP 401', async (name) => {
    const refused = { status: 401, result: codes.notLoggedIn.code, data: null }
    const input = legalInput(name)
    expect(await world.wire(name, input)).toMatchObject(refused)
    expect(await world.wire(name, input, 'garbage')).toMatchObject(refused)
    const request = requestFor(name, input)
    expect(
      await ask({
        ...request,
        url: `${request.url}${request.url.includes('?') ? '&' : '?'}access_token=x`,
      }),
    ).toMatchObject(refused)
    const basic = { ...request, headers: { ...request.headers, authorization: 'Basic YTpi' } }
    expect(await ask(basic, undefined, name)).toMatchObject(refused)
  })

  test('[X23] every call of a session that has expired is refused with -69 and HTTP 401', async () => {
    const soon = await world.signIn('mallory', 9)
    const inputs = needsSession.map((name) => [name, legalInput(name)] as const)
    const before = time
    time += 12 * 60 * 60_000
    const answers = await Promise.all(inputs.map(([name, input]) => world.wire(name, input, soon.token)))
    time = before
    expect(answers.filter(({ status, result }) => status !== 401 || result !== codes.notLoggedIn.code)).toEqual([])
  })

  test.each(guarded)('%s is refused to whom its guard %s refuses, whatever the input', async (name, guard) => {
    const result = refusedBy[guard]
    expect(result, `say in this file whom the guard ${guard} refuses`).toBeDefined()
    if (typeof result !== 'number') return
    await changes()
    const status = callsByName[name].kind === 'stream' ? 403 : 200
    expect(await mallory.wire(name, legalInput(name) as never)).toMatchObject({ status, result })
    expect(await mallory.wire(name, {})).toMatchObject({ status, result })
    expect(await changes()).toEqual([])
  })

  /** People who must be refused, by kind, each with the powers that they hold. */
  const others = async (): Promise<readonly (readonly [string, Person, readonly Power[]])[]> => {
    const [frozen, ...holders] = await Promise.all(
      ['frozen', ...separatedPowers].map((name) => world.person(`${name}-administrator`)),
    )
    const guest = await visitorOf(world, admin)
    for (const [n, power] of separatedPowers.entries())
      await admin.call('setPowerHolders', { power, userIds: [holders[n]?.userId ?? 0] })
    const elsewhere = await world.person('elsewhere')
    const { groupId } = await world.group('别的部门')
    await admin.call('setDelegation', {
      userId: elsewhere.userId,
      groupIds: [groupId],
      tasks: ['people', 'departments', 'quota'],
    })
    await admin.call('modifyAccount', { userId: frozen?.userId ?? 0, expireTime: 1 })
    return [
      ['a member', mallory, []],
      ['a visitor of the first administrator', guest, []],
      ['a frozen account', frozen ?? expect.fail(), []],
      ...separatedPowers.map((power, n) => [power, holders[n] ?? expect.fail(), [power]] as const),
      ['who administers another department', elsewhere, ['department']],
    ]
  }

  test('decisions E1: every call of the administration is refused to whom it does not let in, and of another department it tells and changes nothing', async () => {
    expect(administering.length).toBeGreaterThan(60)
    const all = await others()
    // Their own rows may be in the answer. These texts belong to company data that is not theirs.
    const outside = [anna.account, '质量部', 'mallory']
    await changes()
    for (const [what, person, powers] of all) {
      for (const [name, call] of administering) {
        const told = `${what}: ${name}`
        const letIn = 'guard' in call ? (lettingIn[call.guard.name] ?? []) : []
        if (powers.some((power) => power !== 'department' && letIn.includes(power))) continue
        const response = await world.app.http.inject(requestFor(name, legalInput(name), person.token))
        if (!powers.some((power) => letIn.includes(power))) {
          const refused = what === 'a frozen account' ? codes.accountFrozen.code : codes.noPermission.code
          expect(wireOf(response).result, told).toBe(refused)
          continue
        }
        const { result, data } = wireOf(response)
        if (result !== codes.success.code) {
          expect([codes.notFound.code, codes.noPermission.code], told).toContain(result)
          continue
        }
        // A list call returns only the caller's own rows. A batch call refuses each element.
        const each = (data as { list?: { result?: number }[] }).list ?? []
        for (const one of each) if ('result' in one) expect(one.result, told).toBe(codes.notFound.code)
        for (const word of outside) expect(response.body, told).not.toContain(word)
        if (call.kind !== 'read') expect(each.length, told).toBeGreaterThan(0)
      }
    }
    const written = (await changes()).filter((one) => !/^(event|audit|stamp)/.test(one))
    expect(written).toEqual([])
  })

  /** The objects other than items that a call's gates check for an input. */
  const objectsOf = (call: Call, input: Json): ObjectUse[] =>
    'gate' in call ? call.gate(call.input.parse(input)).filter((use) => 'object' in use) : []

  test('what gates name beside items is not there for strangers, nor where there is none', async () => {
    await changes()
    for (const [name, call] of all) {
      const input = legalInput(name)
      const uses = objectsOf(call, input)
      if (uses.length === 0) continue
      const status = call.kind === 'stream' ? 404 : 200
      // The objects in the input belong to the administrator. For a stranger they do not exist.
      for (const person of [mallory, anna])
        expect(await person.wire(name, input as never), name).toMatchObject({ status, code: 'notFound' })
      const missing = Object.fromEntries(
        Object.entries(input).map(([field, value]) => [field, unknownIds[field] ?? value]),
      )
      expect(objectsOf(call, missing), `give this file unknown ids of what ${name} names`).not.toEqual(uses)
      expect(await admin.wire(name, missing as never), name).toMatchObject({ status, code: 'notFound' })
    }
    expect(await changes()).toEqual([])
  })

  const refuses = new Map<CallName, CodeName>([
    // Nothing has been copied.
    ['getServerCopy', 'notFound'],
    // Neither has a picture.
    ['imUserAvatar', 'notFound'],
    ['imGroupAvatar', 'notFound'],
    // Disabled by default.
    ['downloadCompression', 'noPermission'],
    ['downloadWatermark', 'noPermission'],
    ['getSecretEffect', 'noPermission'],
    // The application among the samples is one for permissions.
    ['getMoreDownloads', 'notFound'],
    // The mail has no attachment, and the key is none.
    ['getMailAttachment', 'notFound'],
    ['getMailAttachmentPreview', 'notFound'],
    ['getMailBody', 'notFound'],
    // The certificate of the samples is no authority.
    ['getRevocationList', 'notFound'],
    ['getWebhookDeliveries', 'notFound'],
    // Nothing was exported or imported.
    ['getExchangeBundle', 'notFound'],
    ['getExchangeReceipt', 'notFound'],
    // No directory has been synchronized.
    ['getProviderRun', 'notFound'],
    // No program is published, and nobody has sent logs.
    ['downloadClient', 'notFound'],
    ['getLogFile', 'notFound'],
    // Nobody has asked for an export.
    ['downloadTalkExport', 'notFound'],
    // Nothing sensitive was found among the samples.
    ['getSensitiveDetail', 'notFound'],
    ['getSensitiveText', 'notFound'],
    ['getSensitiveOriginal', 'notFound'],
    ['getApplyDetail', 'notFound'],
    // There is neither an announcement nor a provisioning system.
    ['getAnnouncementReaders', 'notFound'],
    ['getProvisioning', 'notFound'],
    // There is no sign-in provider.
    ['previewMapping', 'notFound'],
    ['getMapping', 'notFound'],
    ['getHold', 'notFound'],
    ['getHoldItems', 'notFound'],
    ['getApplyFolder', 'notFound'],
    // The administrator may download the file.
    ['getApplyTerms', 'noPermission'],
    // No audit entry is old enough.
    ['downloadAuditArchive', 'notFound'],
    // The file is no picture, although its name says so.
    ['imFilePreview', 'conversionFailed'],
    // The file is not an archive.
    ['downloadArchiveEntry', 'conversionUnsupported'],
    ['archiveEntryServlet', 'conversionUnsupported'],
    // No rendition of the file exists yet.
    ['renditionServlet', 'converting'],
    // The file is no office document.
    ['downloadPdf', 'noPermission'],
  ])
  test.each(where((call) => call.kind === 'read' || call.kind === 'stream'))(
    '%s reads and changes nothing',
    async (name) => {
      await changes()
      const response = await world.app.http.inject(requestFor(name, legalInput(name), admin.token))
      const isStream = callsByName[name].kind === 'stream'
      const refusal = refuses.get(name) === 'notFound' ? 404 : 403
      expect(response.statusCode).toBe(isStream && refuses.has(name) ? refusal : 200)
      if (refuses.has(name)) expect(wireOf(response).code).toBe(refuses.get(name))
      else if (!isStream) expect(wireOf(response)).toMatchObject({ code: 'success', msg: '' })
      expect(await changes()).toEqual([])
    },
  )

  test.each(ofAccounts)('%s refuses broken inputs by a named code and changes nothing', async (name, call) => {
    await changes()
    const seed = inject('full') ? Date.now() : 20_260_101
    const base = legalInput(name)
    const told = (request: InjectOptions) => `${name} (seed ${seed}) ${JSON.stringify(request)}`.slice(0, 2000)
    const count = inject('full') ? 2000 : triedInFull.has(name) ? 200 : 1
    const broken = brokenRequests(call, base, seed, count)
    for (const request of broken) {
      const wire = await ask(request, admin.token)
      expect([200, 400, 404], told(request)).toContain(wire.status)
      const allowed = [codes.badRequest, codes.notFound, codes.illegalName, codes.nameTooLong].map(({ code }) => code)
      expect(allowed, told(request)).toContain(wire.result)
      expect(wire.msg, told(request)).not.toBe('')
    }
    expect(await changes()).toEqual([])
  })

  test.each(where((call) => 'gate' in call || 'batch' in call))(
    '%s of foreign, missing and virtual items is refused and changes nothing',
    async (name) => {
      const call = callsByName[name]
      await changes()
      const base = legalInput(name)
      const lists = call.kind === 'read' || 'files' in base ? [] : [-1, -2, -3]
      const variants: Json[] = []
      for (const fId of [...foreign.files, ...lists]) {
        variants.push({ ...base, fileId: fId, fId, fileIdArray: [fId], files: `fi_${Math.abs(fId)}` })
      }
      const ofFilesOnly = 'fileIdArray' in base && !propertiesOf(call).some(([field]) => field === 'folderIdArray')
      for (const fId of ofFilesOnly ? [] : [...foreign.folders, ...lists]) {
        const ids = {
          folderId: fId,
          folderIds: [fId],
          targetFolderIds: [fId],
          parentId: fId,
          targetFolderId: fId,
          fId,
          fType: 2,
        }
        variants.push({ ...base, ...ids, fileIdArray: [], folderIdArray: [fId], files: `fo_${Math.abs(fId)}` })
      }
      const known = new Set([...Object.keys(base), ...('fileIdArray' in base && !ofFilesOnly ? ['folderIdArray'] : [])])
      for (const variant of variants) {
        const input = Object.fromEntries(Object.entries(variant).filter(([field]) => known.has(field)))
        const wire = await ask(asItArrives(call, input)?.request ?? {}, mallory.token, name)
        const refusedAs = wire.result === codes.notFound.code ? 404 : 403
        expect(wire.status, JSON.stringify(input)).toBe(call.kind === 'stream' ? refusedAs : 200)
        const results = Array.isArray(wire.data)
          ? (wire.data as { result: number }[]).map((item) => item.result)
          : [wire.result]
        expect(results, JSON.stringify(input)).not.toContain(codes.success.code)
        expect(results.length).toBeGreaterThan(0)
      }
      expect(await changes()).toEqual([])
    },
  )

  const isText = ([, schema]: [string, unknown]) =>
    (schema as Json)['type'] === 'string' && !('enum' in (schema as Json))
  test.each(ofAccounts.filter(([, call]) => propertiesOf(call).some(isText)))(
    '%s refuses what is no text in any of its texts: null characters, halves of surrogate pairs',
    async (name, call) => {
      for (const [field] of propertiesOf(call).filter(isText)) {
        // Only JSON can carry a lone surrogate; every other form is transmitted as UTF-8.
        for (const broken of ['a\0b', ...(call.payload === 'json' ? ['a\ud800', '\udc00b'] : [])]) {
          const request = asItArrives(call, { ...legalInput(name), [field]: broken })?.request ?? {}
          const wire = await ask(request, admin.token)
          expect([200, 400], field).toContain(wire.status)
          expect(['badRequest', 'illegalName'], field).toContain(wire.code)
        }
      }
    },
  )

  const lengthOf = ([, schema]: [string, unknown]): number => Number((schema as Json)['maxLength'] ?? 0)
  const remarks = new Set(['comments', 'comment', 'message', 'note', 'reason', 'description'])

  // [R217] A remark or any other text longer than its field is refused by every call.
  test('[R217] a text that is longer than its field takes, by one sign, is refused by every call, and remarks have a length', async () => {
    await changes()
    for (const [name, call] of ofAccounts) {
      for (const property of propertiesOf(call).filter(isText)) {
        const [field] = property
        const most = lengthOf(property)
        if (remarks.has(field)) expect(most, `${name} ${field}`).toBeGreaterThan(0)
        if (remarks.has(field)) expect(most, `${name} ${field}`).toBeLessThanOrEqual(2000)
        if (most === 0 || most > 10_000 || call.path.includes(`{${field}}`)) continue
        const request = asItArrives(call, { ...legalInput(name), [field]: 'x'.repeat(most + 1) })?.request
        if (request === undefined) continue
        const { code, status } = await ask(request, admin.token)
        expect([name, field, [200, 400].includes(status)]).toEqual([name, field, true])
        expect(['badRequest', 'illegalName', 'nameTooLong'], `${name} ${field}`).toContain(code)
      }
    }
    expect(await changes()).toEqual([])
  })

  const bodied = where((call) => call.payload === 'json' || call.payload === 'form')

  test.each(bodied)(
    '%s refuses a body that is too large, broken, empty of fields or of another type with -400',
    async (name) => {
      await changes()
      const request = requestFor(name, legalInput(name))
      const json = { 'content-type': 'application/json' }
      const bodies: InjectOptions[] = [
        { headers: json, payload: '{"a":' },
        { headers: json, payload: 'null' },
        { headers: json, payload: '[]' },
        { headers: json, payload: '"text"' },
        { headers: json, payload: '{"__proto__":{"a":1}}' },
        { headers: json, payload: `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}` },
        { headers: json, payload: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) },
        { headers: json, payload: `{"a":"${'x'.repeat(4 * 1024 * 1024)}"}` },
        { headers: { 'content-type': 'text/csv' }, payload: 'a,b' },
        { headers: { 'content-type': 'multipart/form-data' }, payload: 'x' },
        { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: '%ZZ=%&&=&a[]=1' },
      ]
      const one = bodies[bodied.indexOf(name) % bodies.length] ?? expect.fail(name)
      for (const body of inject('full') || triedInFull.has(name) ? bodies : [one]) {
        // A call whose whole body is a list accepts an empty list.
        if (body.payload === '[]' && callsByName[name].bodyField !== undefined) continue
        const wire = await ask({ ...request, ...body }, admin.token)
        expect(wire, JSON.stringify(body).slice(0, 100)).toMatchObject({ status: 400, code: 'badRequest' })
      }
      expect(await changes()).toEqual([])
    },
  )

  test('a broken multipart body is refused with a named code and leaves nothing', async () => {
    await changes()
    const field = `--x\r\ncontent-disposition: form-data; name="folderId"\r\n\r\n${ids.folderId}\r\n`
    const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbytes'
    const bodies = {
      'no boundary': ['multipart/form-data', `${field}${part}\r\n--x--\r\n`],
      'another boundary': ['multipart/form-data; boundary=y', `${field}${part}\r\n--x--\r\n`],
      'no file': ['multipart/form-data; boundary=x', `${field}--x--\r\n`],
      'not the part file': [
        'multipart/form-data; boundary=x',
        `${field}${part.replace('"file"', '"other"')}\r\n--x--\r\n`,
      ],
      'no fields': ['multipart/form-data; boundary=x', `${part}\r\n--x--\r\n`],
      'broken part header': ['multipart/form-data; boundary=x', `${field}--x\r\n: :\r\nbytes\r\n--x--\r\n`],
      'no type': ['', `${field}${part}\r\n--x--\r\n`],
      empty: ['multipart/form-data; boundary=x', ''],
    } as const
    for (const [what, [type, payload]] of Object.entries(bodies)) {
      const headers = { authorization: `Bearer ${admin.token}`, 'content-type': type }
      const wire = wireOf(await world.app.http.inject({ method: 'POST', url: '/UploadServlet', headers, payload }))
      expect(wire, what).toMatchObject({ status: 400, code: 'badRequest' })
    }
    const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'multipart/form-data; boundary=x' }
    const cut = await world.app.http.inject({ method: 'POST', url: '/UploadServlet', headers, payload: field + part })
    expect(wireOf(cut)).toMatchObject({ status: 200, code: 'uploadInterrupted' })
    expect(await changes()).toEqual([])
  })

  // [R388] Unknown addresses are 404 and unreadable ones 400, each with the envelope of a named code.
  test('[R388] addresses that no call has, or that cannot be read, get an envelope with a named code', async () => {
    const missing = await ask({ method: 'GET', url: '/services2/no/such/call' }, admin.token)
    expect(missing).toMatchObject({ status: 404, code: 'notFound', data: null })
    const unreadable = await ask({ method: 'GET', url: '/services2/file/query/getFileInfo/%ZZ' }, admin.token)
    expect(unreadable).toMatchObject({ status: 400, code: 'badRequest', data: null })
    const long = await ask(
      { method: 'GET', url: `/services2/file/query/getFileItemInfo/${'9'.repeat(600)}` },
      admin.token,
    )
    expect(long).toMatchObject({ status: 400, code: 'badRequest', data: null })
  })

  test('openapi.json describes every call: its name, where each field travels, its answer', async () => {
    const document = await openApi()
    expect(document.openapi).toBe('3.1.0')
    const described = operationsOf(document).filter(({ operation }) => operation['x-authority'] !== undefined)
    const aliases = all.flatMap(([name, call]) => (call.aliases ?? []).map((path) => ({ name, path })))
    expect(
      described
        .filter(({ operation }) => operation['x-alias-of'] === undefined)
        .map(({ operation }) => operation.operationId)
        .sort(),
    ).toEqual(Object.keys(calls).sort())
    for (const { name, path } of aliases) {
      const { operation } = described.find((each) => each.path === path) ?? expect.fail(path)
      const own = described.find((each) => each.operation.operationId === name)?.operation
      expect(operation).toEqual({
        ...own,
        operationId: path.split('/').at(-1),
        summary: operation.summary,
        'x-alias-of': name,
      })
    }
    const tags = new Set(document.tags.map(({ name }) => name))
    const codesThere = { properties: { result: { $ref: '#/components/schemas/RefusalCode' } } }
    expect(document.components.schemas).toMatchObject({ Refusal: codesThere, ItemRecord: { type: 'object' } })
    expect(document.components.schemas['RefusalCode']?.['enum']).toEqual(
      Object.values(codes).flatMap(({ code }) => (code === -1 ? [] : [code])),
    )
    for (const { path, method, operation } of described) {
      expect(operation.summary.length, path).toBeGreaterThan(5)
      expect([...tags], path).toContain(operation.tags[0])
      if (operation['x-alias-of'] !== undefined) continue
      const call = callsByName[operation.operationId as CallName]
      if ('guard' in call) expect(operation['x-authority']).toBe(call.guard.meaning)
      if ('open' in call) expect(operation['x-authority']).toContain(call.open)
      expect([method, path]).toEqual([call.method.toLowerCase(), call.path])
      const parameters = operation.parameters ?? []
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      expect(parameters.filter((each) => each.in === 'path').map((each) => each.name)).toEqual(
        expect.arrayContaining(inPath),
      )
      expect(parameters.filter((each) => each.in === 'path' && !each.required)).toEqual([])
      const content = Object.entries(operation.requestBody?.content ?? {})
      expect(content.length).toBe(call.payload === 'none' || call.payload === 'query' ? 0 : 1)
      const inBody = content.flatMap(([, { schema }]) => Object.keys(schema.properties ?? {}))
      const whole = call.bodyField === undefined ? [] : [call.bodyField]
      const placed = [...parameters.map((each) => each.name), ...inBody, ...whole]
      const extra = [
        ...(call.auth === 'query' ? ['access_token'] : []),
        ...(call.payload === 'multipart' ? ['file'] : []),
      ]
      expect(placed.sort()).toEqual([...propertiesOf(call).map(([field]) => field), ...extra].sort())
      const [answer] = Object.keys(operation.responses['200']?.content ?? {})
      expect(answer).toBe(call.kind === 'stream' ? call.answers : 'application/json')
      const security = { none: [], optional: [{ bearer: [] }, {}], required: undefined, query: undefined }[call.auth]
      expect(operation.security).toEqual(security)
      if (needsSession.includes(operation.operationId as CallName)) expect(operation.responses).toHaveProperty('401')
      // Each concept has one type: an id is a number, also where it is transmitted as text.
      for (const { name, schema } of parameters)
        if (/^(?:f|file|folder|link|user|group|role|account|parent|server)Id$/.test(name)) {
          expect([path, name, schema.type]).toEqual([path, name, 'integer'])
        }
    }
    for (const reference of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g))
      expect(reference[1]).toMatch(/^#\/components\//)
  })

  test('openapi.json has each status that calls were answered with here', async () => {
    expect(answered.size).toBeGreaterThan(80)
    const statuses = new Map(
      operationsOf(await openApi()).map(({ operation }) => [operation.operationId, Object.keys(operation.responses)]),
    )
    for (const [name, seen] of answered)
      expect(statuses.get(name), name).toEqual(expect.arrayContaining([...seen].map(String)))
  })
})

interface OpenApi {
  readonly openapi: string
  readonly tags: readonly { readonly name: string }[]
  readonly components: { readonly schemas: Record<string, Json> }
  readonly paths: Record<string, Record<string, Operation>>
}
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly 'x-authority'?: string
  readonly 'x-alias-of'?: string
  readonly parameters?: { name: string; in: string; required: boolean; schema: Json }[]
  readonly requestBody?: { content: Record<string, { schema: { properties?: Json } }> }
  readonly responses: Record<string, { content?: Json }>
  readonly security?: unknown[]
}

function operationsOf(document: OpenApi) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => ({ path, method, operation })),
  )
}

const strings = [
  '',
  ' ',
  '\0',
  'a\0b',
  '../../etc/passwd',
  "'; drop table item; --",
  '%',
  '\u202e',
  '\ud800',
  'NaN',
  '1e9',
  '0x10',
  '١',
  '𝟙',
  'null',
  'true',
  '[object Object]',
  'x'.repeat(70_000),
]
const junk = fc.oneof(
  fc.constantFrom<unknown>(
    ...strings,
    -4,
    -99,
    1.5,
    2 ** 53,
    -(2 ** 53),
    1e300,
    null,
    true,
    [],
    {},
    [[]],
    [null],
    [-99],
    ['\0'],
    { a: { b: { c: [] } } },
  ),
  fc.constantFrom('{{7*7}}', '$where').map((value) => ({ [value]: value })),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 4 }),
  fc.integer(),
)
const strange = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'ID', 'a.b', 'a[b]', ' ', '\0'),
  fc.string({ minLength: 1, maxLength: 10 }),
)

/** Generates requests that the call's schema refuses, by breaking one thing in a valid request. */
function brokenRequests(call: Call, base: Json, seed: number, count: number): InjectOptions[] {
  const fields = propertiesOf(call).map(([field]) => field)
  const required = requiredOf(call)
  const breaks = fc.oneof(
    ...(fields.length === 0
      ? []
      : [fc.tuple(fc.constantFrom(...fields), junk).map(([field, value]) => ({ ...base, [field]: value }))]),
    ...(required.length === 0 ? [] : [fc.constantFrom(...required).map((field) => without(base, field))]),
    fc
      .tuple(strange, junk)
      .map(([field, value]) => Object.defineProperty({ ...base }, field, { value, enumerable: true })),
  )
  const made: InjectOptions[] = []
  for (let round = 0; made.length < count; round += 1) {
    for (const input of fc.sample(breaks, { seed: seed + round, numRuns: count })) {
      const arrives = asItArrives(call, input)
      if (made.length < count && arrives !== undefined && !call.input.safeParse(arrives.fields).success)
        made.push(arrives.request)
    }
  }
  return made
}

function without(input: Json, field: string): Json {
  const { [field]: _, ...rest } = input
  return rest
}

/**
 * Returns the request that carries an input, and the fields that the server will read from it; undefined where no
 * request can carry it.
 */
function asItArrives(call: Call, input: Json): { request: InjectOptions; fields: Json } | undefined {
  const inBody = (field: string): boolean =>
    !call.path.includes(`{${field}}`) &&
    (call.bodyField === undefined ? call.payload === 'json' : field === call.bodyField && call.payload === 'json')
  const fields = Object.create(null) as Json
  const sent: Json = {}
  for (const [field, value] of Object.entries(input)) {
    if (field === 'rnd' || field === 'access_token') return undefined
    const text = (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed()
    // An empty path segment, or one of dots, changes the path.
    if (call.path.includes(`{${field}}`) && /^(\.{0,2}|.{400,})$/su.test(text)) return undefined
    const carried = inBody(field) ? value : text
    Object.defineProperty(sent, field, { value: carried, enumerable: true })
    fields[field] = carried
  }
  for (const [, field = ''] of call.path.matchAll(/\{(\w+)\}/g)) if (!Object.hasOwn(sent, field)) return undefined
  if (call.payload === 'multipart') {
    const parts = Object.entries(sent).map(
      ([field, value]) =>
        `--x\r\ncontent-disposition: form-data; name="${encodeURIComponent(field)}"\r\n\r\n${String(value)}\r\n`,
    )
    const payload = `${parts.join('')}--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbytes\r\n--x--\r\n`
    if (Object.values(sent).some((value) => String(value).length > 9000 || String(value).includes('\n--x')))
      return undefined
    return {
      request: {
        method: call.method,
        url: call.path,
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        payload,
      },
      fields,
    }
  }
  const { method, path, body } = placeInput(call, sent)
  if (path.length > 60_000) return undefined
  const headers = { 'content-type': body?.type ?? 'application/octet-stream' }
  const payload = body?.text ?? (call.payload === 'raw' ? 'bytes' : undefined)
  return { request: { method, url: path, ...(payload === undefined ? {} : { headers, payload }) }, fields }
}
