/*
 * The devices from which a person signs in ([R047]): a browser by a cookie that scripts cannot read, a program by the
 * machine that it names. Where the company demands approval, a new one waits (-49); one that was ordered to forget what
 * it keeps is refused (-50) until it is approved again.
 */
import type { InstallationSetting } from '@cloudoc/contract'
import { type CodeName, machineAddressCookie } from '@cloudoc/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Tx } from '../../core/db/database.ts'
import { hashToken } from '../../core/secrets.ts'
import { cookieOf, deviceFor, deviceOf, isFromPage } from './request.ts'

/** The header by which a program names the machine that it runs on ([R363]). */
export const machineHeader = 'x-cloudoc-machine'
const maxName = 200

/** The name that a program gives its machine; a page gives it in a cookie where it cannot set a header. */
function machineOf(request: FastifyRequest): string | undefined {
  const name = request.headers[machineHeader] ?? cookieOf(request, machineAddressCookie)
  return typeof name === 'string' && name !== '' && name.length <= maxName ? name : undefined
}

/** The hash of a device's name, as stored. Browsers and machines cannot be taken for each other. */
const markFor = (kind: 'browser' | 'machine', name: string): Buffer => hashToken(`${kind}:${name}`)

/** The mark of the device that sent a request, if it has a name already. */
export function deviceMark(request: FastifyRequest): Buffer | undefined {
  const browser = deviceOf(request)
  if (browser !== undefined) return markFor('browser', browser)
  const machine = machineOf(request)
  return machine === undefined ? undefined : markFor('machine', machine)
}

/** As `deviceMark`, and gives a browser without a name one. */
function markAtSignIn(request: FastifyRequest, reply: FastifyReply): Buffer | undefined {
  if (isFromPage(request)) return markFor('browser', deviceFor(request, reply))
  return deviceMark(request)
}

/** The device of a sign-in, and why it may not be used. */
export interface Arrival {
  readonly deviceId: number | undefined
  readonly isApproved: boolean
  readonly refusal: CodeName | undefined
  /** A device that was not known before, and waits to be approved. */
  readonly begunToWait?: boolean
}

/** Records the device of a sign-in, and says whether it may be used. The account is locked. */
export async function arriveFrom(
  {
    tx,
    now,
    address,
    request,
    reply,
  }: { tx: Tx; now: number; address: string; request: FastifyRequest; reply: FastifyReply },
  person: { readonly accountId: number; readonly isAdmin: boolean; readonly clientType: number },
  { inner }: Pick<InstallationSetting, 'inner'>,
): Promise<Arrival> {
  // The first administrator can always approve devices, also the own one.
  const demanded = inner.device_approval && !person.isAdmin
  const mark = markAtSignIn(request, reply)
  if (mark === undefined)
    return { deviceId: undefined, isApproved: false, refusal: demanded ? 'invalidDeviceId' : undefined }
  const agent = request.headers['user-agent']?.slice(0, 300) ?? ''
  const { rows } = await sql<{ id: number; state: string; is_new: boolean }>`
    insert into device (account_id, mark, agent, client_type, state, address, created_at, used_at)
    values (${person.accountId}, ${mark}, ${agent}, ${person.clientType}, ${demanded ? 'waiting' : 'approved'}, ${address},
      ${now}, ${now})
    on conflict (account_id, mark) do update set used_at = ${now}, address = ${address}, agent = ${agent},
      client_type = ${person.clientType}
    returning id, state, xmax = 0 as is_new`.execute(tx)
  const { id, state, is_new } = rows[0] ?? { id: undefined, state: 'refused', is_new: false }
  const refusal =
    state === 'wiped'
      ? 'deviceWiped'
      : state === 'refused' || (state === 'waiting' && demanded)
        ? 'invalidDeviceId'
        : undefined
  return { deviceId: id, isApproved: state === 'approved', refusal, begunToWait: is_new && state === 'waiting' }
}
