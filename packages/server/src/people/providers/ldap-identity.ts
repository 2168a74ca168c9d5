// Sign-in with the account and password of a company's directory.
import { createHmac } from 'node:crypto'
import { fail } from '@cloudoc/domain'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { type Secrets, unseal } from '../../core/secrets.ts'
import type { Identity } from '../auth/index.ts'
import { enabledProviders, type Provider, proofOf } from './accounts.ts'
import { DirectoryFailure, withDirectory } from './directory.ts'

/** The purpose under which the secrets of providers are encrypted. */
export const providerSecret = 'provider'

/** The password or client secret of a provider; empty: none. */
export const secretOf = ({ secret }: Pick<Provider, 'secret'>, secrets: Secrets): string =>
  secret === '' ? '' : unseal(secrets, providerSecret, secret)

/**
 * Wrong passwords that a directory has refused lately. They are not sent again: a program that repeats an old password
 * must not lock the account in the directory.
 */
const refusedPasswords = oneTimeToken<Record<string, never>>('directoryPassword')
const refusedMs = 10 * 60_000

/** The identity of directory accounts. */
export function ldapIdentity(secrets: Secrets): Identity {
  return {
    name: 'ldap',
    async byPassword({ db, now }, { account, accountKey, password, visitor }) {
      if (visitor || password === '') return undefined
      const all = await enabledProviders(db, 'ldap')
      if (all.length === 0) return undefined
      const row = await db
        .selectFrom('account')
        .select(['id', 'password_hash'])
        .where('account_key', '=', accountKey)
        .executeTakeFirst()
      const joined =
        row === undefined
          ? []
          : await db.selectFrom('provider_identity').select('provider_id').where('account_id', '=', row.id).execute()
      // An account of this server that no directory knows signs in without any directory being asked.
      if (row !== undefined && joined.length === 0 && row.password_hash !== '') return undefined
      let failure: unknown
      let wasRefused = false
      for (const provider of all) {
        const { settings } = provider
        if (settings.kind !== 'ldap') continue
        if (joined.length > 0 && !joined.some(({ provider_id }) => provider_id === provider.id)) continue
        const mark = createHmac('sha256', secrets.signingKey)
          .update(JSON.stringify([provider.id, accountKey, password]))
          .digest('base64url')
        if ((await refusedPasswords.peek(db, mark, now)) !== undefined) {
          wasRefused = true
          continue
        }
        try {
          const secret = secretOf(provider, secrets)
          const person = await withDirectory(settings, secret, async (directory) => {
            const found = await directory.find(account.normalize('NFKC').trim())
            if (found === undefined) return undefined
            const answer = await directory.checkPassword(found.dn, password)
            if (answer === 'right') return found
            // Whether it was right is not said where the account cannot be used: it may be right tomorrow.
            return answer === 'unusable' || found.disabled ? 'unusable' : 'wrong'
          })
          if (person === undefined) continue
          if (person === 'wrong' || person === 'unusable') {
            if (person === 'wrong') await refusedPasswords.issueAs(db, mark, { value: {}, expiresAt: now + refusedMs })
            wasRefused = true
            continue
          }
          if (person.disabled) return fail('accountFrozen')
          return await proofOf(db, provider, person)
        } catch (error) {
          if (!(error instanceof DirectoryFailure)) throw error
          failure = error
        }
      }
      // A directory that has not answered might have known the person: this is no wrong password.
      if (failure !== undefined && !wasRefused) return fail('providerUnavailable')
      return { wrong: 'wrongPassword', accountId: row?.id ?? null }
    },
  }
}
