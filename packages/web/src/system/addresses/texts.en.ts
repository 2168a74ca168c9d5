import type { English } from '../../core/i18n/i18n.ts'
import type { addressZh } from './texts.zh.ts'

export const addressEn: English<typeof addressZh> = {
  'address.title': 'Addresses and certificates',
  'address.public': 'Public address',
  'address.public.note':
    'Used in external links, by the office server, and where providers send people back after signing in.',
  'address.public.none': 'Not set: links use the address at which the page was opened, which may not work for others.',
  'address.public.how': 'Add a line to /etc/cloudoc.env on the server, then restart the service:',
  'address.used': 'The address you are using',
  'address.plain':
    'This address is not encrypted (http): passwords and files are sent as plain text. Set up a certificate, or a proxy that has one.',
  'address.own': 'Certificate of this server',
  'address.own.none':
    'This server has no certificate of its own (TLS_CERT, TLS_KEY). If a proxy in front of it has one, set the public address to check it here.',
  'address.own.how': 'A renewed certificate file is picked up automatically, without a restart.',
  'address.seen': 'Certificate that browsers get at the public address',
  'address.check': 'Check',
  'address.checking': 'Connecting…',
  'address.unreached': 'Cannot reach {address}: {why}',
  'address.reached': 'Reachable, not encrypted',
  'address.subject': 'Issued to',
  'address.names': 'Valid for',
  'address.issuer': 'Issued by',
  'address.until': 'Valid until',
  'address.print': 'SHA-256 fingerprint',
  'address.good': 'No problems found',
  'address.fault.expired': 'The certificate has expired: browsers refuse it',
  'address.fault.notYetValid': 'The certificate is not valid yet: check the clock of the server',
  'address.fault.otherName': 'The certificate is not for this address: browsers warn about it',
  'address.fault.untrusted': 'Not issued by a public authority: computers without your root certificate warn about it',
  'address.fault.soon': 'The certificate expires within 30 days: renew it',
  'address.copy': 'Copy',
}
