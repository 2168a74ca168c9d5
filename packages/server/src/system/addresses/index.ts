// The addresses of the server and their certificates, for a page of the administration.
import { X509Certificate } from 'node:crypto'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { type certificateFaults, features, type ServerCertificate } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { whileAsked } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'

type Fault = (typeof certificateFaults)[number]

const timeMs = 5000
/** Renewals are asked for this long before the end. */
const soonMs = 30 * 24 * 60 * 60_000
/** Errors of a chain that say nothing about trust: they are faults of their own. */
const ofTime = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID'])

const namesOf = ({ subjectAltName = '' }: X509Certificate): string[] =>
  subjectAltName.split(', ').flatMap((entry) => /^(?:DNS|IP Address):(.+)$/.exec(entry)?.[1] ?? [])

/** A distinguished name on one line. */
const lineOf = (name: string): string => name.split('\n').join(', ')

function describe(one: X509Certificate): ServerCertificate {
  return {
    ...{ subject: lineOf(one.subject), issuer: lineOf(one.issuer), names: namesOf(one) },
    ...{ validFrom: one.validFromDate.getTime(), validUntil: one.validToDate.getTime() },
    fingerprint: one.fingerprint256.replaceAll(':', '').toLowerCase(),
  }
}

/** What browsers would warn of, and an end that is near. */
export function faultsOf(one: X509Certificate, host: string, now: number, trustError = ''): Fault[] {
  const { validFrom, validUntil } = describe(one)
  const faults: Fault[] = []
  if (validUntil <= now) faults.push('expired')
  else if (validUntil < now + soonMs) faults.push('soon')
  if (validFrom > now) faults.push('notYetValid')
  if (host !== '' && (isIP(host) > 0 ? one.checkIP(host) : one.checkHost(host)) === undefined) faults.push('otherName')
  if (trustError !== '' && !ofTime.has(trustError)) faults.push('untrusted')
  return faults
}

interface Reached {
  readonly certificate: X509Certificate | undefined
  readonly trustError: string
}

/** Connects to an address. Rejects if nobody answers in time. */
function reach({ protocol, hostname, port }: URL, signal: AbortSignal): Promise<Reached> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const isTls = protocol === 'https:'
  const where = { host, port: Number(port || (isTls ? 443 : 80)) }
  const { promise, resolve, reject } = Promise.withResolvers<Reached>()
  const socket: Socket = isTls
    ? // An untrusted certificate is described, not refused; nothing is sent over the connection.
      connectTls({ ...where, rejectUnauthorized: false, ...(isIP(host) === 0 && { servername: host }) })
    : connectPlain(where)
  const end = (): void => void socket.destroy(new Error('no answer'))
  socket.setTimeout(timeMs, end)
  signal.addEventListener('abort', end, { once: true })
  socket.once('error', reject)
  socket.once(isTls ? 'secureConnect' : 'connect', () => {
    const secure = socket as TLSSocket
    const error = isTls ? (secure.authorizationError as unknown) : null
    resolve({
      certificate: isTls ? secure.getPeerX509Certificate() : undefined,
      trustError: typeof error === 'string' ? error : ((error as { code?: string } | null)?.code ?? ''),
    })
    socket.destroy()
  })
  return promise.finally(() => signal.removeEventListener('abort', end))
}

/** The handlers of the page about addresses. */
export function addressHandlers({ publicUrl, certificate }: Pick<Services, 'publicUrl' | 'certificate'>) {
  return implement(features.addresses.calls, {
    getServerAddresses({ request, now }) {
      const usedAddress = `${request.protocol}://${request.host}`
      const pem = certificate()
      const own = pem === undefined ? undefined : new X509Certificate(pem)
      const host = new URL(publicUrl ?? usedAddress).hostname.replace(/^\[|\]$/g, '')
      return Promise.resolve({
        ...{ publicAddress: publicUrl ?? '', usedAddress },
        certificate: own === undefined ? null : describe(own),
        faults: own === undefined ? [] : faultsOf(own, host, now),
      })
    },

    async checkServerAddress(context) {
      if (publicUrl === undefined) return fail('notFound', { zh: '没有设置公开地址', en: 'no public address is set' })
      const address = new URL(publicUrl)
      try {
        const { certificate: found, trustError } = await whileAsked(context, (signal) => reach(address, signal))
        const host = address.hostname.replace(/^\[|\]$/g, '')
        return {
          ...{ reached: true, reason: '', certificate: found === undefined ? null : describe(found) },
          faults: found === undefined ? [] : faultsOf(found, host, context.now, trustError),
        }
      } catch (error) {
        return { reached: false, reason: error instanceof Error ? error.message : '', certificate: null, faults: [] }
      }
    },
  })
}
