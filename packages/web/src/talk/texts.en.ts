import type { English } from '../core/i18n/i18n.ts'
import type { zh } from './texts.zh.ts'

export const en: English<typeof zh> = {
  'talk.rail': 'Chat',
  'talk.find': 'Search messages',
  'talk.found': 'Messages',
  'talk.admin': 'Chat',
  'talk.menu.send': 'Send to chat…',
  'talk.unread': '{n} unread messages',
  'talk.unread_one': '{n} unread message',
  'talk.window.search': 'Search messages',
  'talk.window.log': 'Chat history',
  'talk.window.logOf': 'Chat history with “{name}”',
  'talk.window.context': 'Message in its conversation',
  'talk.window.pick': 'Choose contacts',
  'talk.window.share': 'Send to',
  'talk.window.picture': 'Pictures',
  'talk.window.contacts': 'Contact group',
  'talk.window.readBy': 'Read by',
}
