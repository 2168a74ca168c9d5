// Looks for the secrets of signing wherever they could be read: tables, backups, logs, answers and contents.
import { Buffer } from 'node:buffer'
import type { CallName } from '@cloudoc/contract'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld, password, requestFor, wireOf } from '../../../test/harness.ts'
import { queuedMailsIn } from '../../../test/mail-queue.ts'
import { backUpWorld, restoredWorld, testFolder } from '../../../test/restored.ts'
import { contract, signTokenIn, smallPicture } from '../../../test/signing.ts'
import { createLog } from '../../core/log.ts'
import { unseal } from '../../core/secrets.ts'

/** Every row of every table as text; bytes are in hexadecimal. */
async function dumpOf<T>(db: Kysely<T>): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db)
  const parts: string[] = []
  for (const { name } of rows) {
    const { rows: all } = await sql<{
      row: string
    }>`select row_to_json(t)::text as row from ${sql.raw(name)} t`.execute(db)
    parts.push(...all.map(({ row }) => row))
  }
  return parts.join('\n')
}

/** Which of these bytes occur in a text, as bytes, in hexadecimal or in base64. */
function foundIn(hay: string, secrets: readonly Buffer[]): string[] {
  return secrets.flatMap((secret, n) => {
    // The half that no certificate holds, without the edges that base64 encodes together with their neighbours.
    const core = (from: number) => secret.subarray(Math.floor(secret.length / 2) + from, secret.length - 30)
    const forms = [
      core(0).toString('latin1'),
      core(0).toString('hex'),
      ...[0, 1, 2].map((from) => core(from).toString('base64').slice(0, 60)),
      secret.toString('base64').slice(100, 160),
    ]
    return forms.some((form) => hay.includes(form)) ? [`secret ${n}`] : []
  })
}

// [R275] Keys of signers, codes and links of mails are found in no table, backup, log or answer.
test('[R275] keys, codes and links of signing stand nowhere in plain', async () => {
  const lines: string[] = []
  const log = createLog('trace', { write: (line: string) => void lines.push(line) })
  const world = await openWorld({ elected: false, log, accessLog: true })
  const answers: string[] = []
  const inject = world.app.http.inject.bind(world.app.http) as (
    request: unknown,
  ) => Promise<{ rawPayload: Buffer; headers: unknown }>
  Object.assign(world.app.http, {
    inject: async (request: unknown) => {
      const answer = await inject(request)
      answers.push(answer.rawPayload.toString('latin1'), JSON.stringify(answer.headers))
      return answer
    },
  })
  const admin = await world.admin()
  await admin.call('createSignAuthority', { name: '青云科技' })
  await admin.call('setServerSetting', { mail_host: '127.0.0.1', mail_port: 9, mail_sender: 'drive@example.com' })
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const folderId = await anna.folder(anna.library, '签署')
  const fileId = await anna.upload(folderId, '合同.pdf', await contract())
  const mail = 'zhoumin@dongjiang.example'
  const { activityId } = await anna.call('launchSign', {
    ...{ fileId, archiveFolderId: folderId, title: '采购合同', order: false },
    singerList: [{ userId: ben.userId }, { outside: { name: '周敏', mail } }],
  })
  const ask = async (name: CallName, input: Record<string, unknown>, pass = '') => {
    const request = requestFor(name, input)
    return wireOf(await world.app.http.inject({ ...request, headers: { ...request.headers, 'x-sign-pass': pass } }))
  }
  const mails = () => queuedMailsIn(world.app, mail)
  const signToken = signTokenIn((await mails())[0])
  const { codeTicket } = (await ask('sendSignCode', { signToken })).data as { codeTicket: string }
  const code = /\d{6}/.exec((await mails()).at(-1)?.subject ?? '')?.[0] ?? ''
  expect(code).toMatch(/^\d{6}$/)
  expect(signToken.length).toBeGreaterThan(20)
  expect((await ask('sendSignCode', { signToken })).code).toBe('sendingTooOften')
  await ben.call('sign', { activityId, revision: 0, password })
  for (const name of ['getSignDetail', 'checkSign'] as const) await ben.call(name, { activityId })
  await admin.call('getSignCertificateList', {})

  const { rows } = await sql<{ serial: string; sealed: string }>`
    select serial, sealed_key as sealed from sign_certificate where sealed_key <> ''`.execute(world.app.db)
  const { secrets } = world.app.services
  const keys = rows.map(({ serial, sealed }) => Buffer.from(unseal(secrets, `sign-key ${serial}`, sealed), 'base64'))
  expect(keys).toHaveLength(2)
  // The search finds what is there.
  expect(foundIn(`\\x${keys[0]?.toString('hex')}`, keys)).toEqual(['secret 0'])
  expect(foundIn(`-${keys[1]?.toString('base64')}-`, keys)).toEqual(['secret 1'])

  const folder = await testFolder()
  await backUpWorld(world, folder)
  const copy = await restoredWorld(folder)
  const places = {
    tables: await dumpOf(world.app.db),
    backup: await dumpOf(copy.app.db),
    logs: lines.join('\n'),
    answers: answers.join('\n'),
  }
  for (const [place, text] of Object.entries(places)) {
    expect(text.length, place).toBeGreaterThan(1000)
    expect(foundIn(text, keys), place).toEqual([])
    expect(text.includes(code) ? [`code in ${place}`] : [], place).toEqual([])
    expect(text.includes(signToken), place).toBe(false)
    expect(text, place).not.toContain(password)
  }
  // The ticket of the browser is an answer, and is stored as a hash.
  expect(places.tables).not.toContain(codeTicket)
  const pass = (await ask('enterSign', { signToken, codeTicket, code })).data as { pass: string }
  await ask('signFromEmail', { signToken, revision: 1, picture: smallPicture }, pass.pass)
  expect(await dumpOf(world.app.db)).not.toContain(pass.pass)
  expect(lines.join('\n')).not.toContain(pass.pass)
})
