import type { English } from '../../core/i18n/i18n.ts'
import type { featuresZh } from './texts.zh.ts'

export const featuresEn: English<typeof featuresZh> = {
  'features.note': '{n} of {of} are on',
  'features.changed': 'Changed by {who}, {when}',
  'features.sure': 'Switch “{name}” off?',
  'features.sureMore':
    'Nobody can use it any more: its entries, pages and notices disappear, and calls are refused. Data is kept, and everything is back when it is switched on again.',
  'features.turnOff': 'Switch off',
  'features.isOn': '“{name}” is on',
  'features.isOff': '“{name}” is off',
  'features.talk': 'Chat',
  'features.talk.more': 'Conversations, groups, contacts, and sending files in them.',
  'features.mail': 'E-mail',
  'features.mail.more': 'Mailboxes of people, and sending files by mail. Mails of the system are not affected.',
  'features.workflow': 'Workflows',
  'features.workflow.more':
    'Launching and handling processes, and their templates. Running processes stay where they are.',
  'features.signing': 'Signing',
  'features.signing.more':
    'Signing processes, signatures and certificates. To let running ones be finished, use the setting “Signing” instead.',
  'features.exchange': 'Exchange across networks',
  'features.exchange.more': 'Sending, approving and receiving files across networks, and bundles.',
  'features.mobile': 'Pages for phones',
  'features.mobile.more': 'The pages under /m. Phones can still open the normal pages.',
  'features.webdav': 'WebDAV network drive',
  'features.webdav.more': 'Mounting libraries as a network drive.',
  'features.test': 'Test events',
  'features.test.more':
    'Sends a push to yourself, to check whether a client receives and handles it. Only you receive it; its content is a sample.',
  'features.test.kind': 'Push',
  'features.test.send': 'Send to myself',
  'features.test.sent': 'Sent {name}; connected clients: {n}',
  'features.test.all': 'Send all',
  'features.test.allSent': 'Kinds of pushes sent: {n}',
  'features.test.none': 'No client is connected',
  'features.test.ends': 'Clients that receive it are signed out',
}
