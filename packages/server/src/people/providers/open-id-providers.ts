// What the sign-in and the binding by OpenID providers share.
import { fail } from '@cloudoc/domain'
import type { Context } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { enabledProviders } from './accounts.ts'

/** The page that providers send people back to; the id of the provider follows. */
const returnPath = '/doc/sign-in-return/'

/** The address that providers send people back to. */
export const returnAddressOf = ({ request }: Pick<Context, 'request'>, publicUrl: string | undefined): string =>
  `${publicUrl?.replace(/\/+$/, '') ?? `${request.protocol}://${request.host}`}${returnPath}`

/** An OpenID provider that is on. */
export async function enabledOidc(db: Db, providerId: number) {
  const provider = (await enabledProviders(db, 'oidc')).find(({ id }) => id === providerId) ?? fail('notFound')
  return provider.settings.kind === 'oidc' ? { provider, settings: provider.settings } : fail('notFound')
}
