// The application by which people bind their Outlook mailboxes, as an administrator has registered it at Microsoft.
import type { InstallationSetting } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import type * as client from 'openid-client'
import { readSecret } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { configurationOf } from '../../people/providers/index.ts'

/** The name under which the secret of the application is stored. */
export const outlookSecretName = 'outlook-secret'

/** Whether people can bind Outlook mailboxes. */
export const isOutlookSetUp = ({ inner }: Pick<InstallationSetting, 'inner'>): boolean => inner.outlook_client_id !== ''

/** What the sign-in page of Microsoft says of itself. Rejects if it cannot be asked. */
export async function outlookConfiguration({
  db,
  secrets,
  settings,
  now,
}: Pick<Services, 'db' | 'secrets' | 'settings' | 'now'>): Promise<client.Configuration> {
  const { inner } = await settings.current()
  const app = { issuer: inner.outlook_authority, clientId: inner.outlook_client_id }
  return configurationOf(app, await readSecret(db, secrets, outlookSecretName), now())
}

/** The servers of Outlook mailboxes. */
export function outlookServers({ inner }: Pick<InstallationSetting, 'inner'>) {
  const [imapAddress, imapPort] = placeOf(inner.outlook_imap, 993)
  const [smtpAddress, smtpPort] = placeOf(inner.outlook_smtp, 587)
  return { imapAddress, imapPort, smtpAddress, smtpPort }
}

function placeOf(text: string, usual: number): readonly [string, number] {
  const [host = '', port = ''] = text.split(':')
  return host === '' ? fail('mailNotSetUp') : [host, Number(port) || usual]
}
