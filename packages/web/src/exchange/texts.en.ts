// English texts of the exchange that are loaded with the page.
import type { zh } from './texts.zh.ts'

export const en: Record<keyof typeof zh, string> = {
  'exchange.menu.send': 'Send to another network…',
  'exchange.group': 'Exchange across networks',
  'exchange.sent': 'Sent by me',
  'exchange.receive': 'Received by me',
  'exchange.review': 'Waiting for my approval',
  'exchange.send.title': 'Send to another network',
  'exchange.send.titleOf': 'Send to another network — {name}',
  'exchange.detail.title': 'Exchange',
  'exchange.detail.titleOf': 'Exchange — {name}',
  'exchange.password.title': 'Enter the pick-up password',
  'exchange.many': '{name} and others, {n} items',
  'exchange.rule.new': 'New rule',
  'exchange.rule.change': 'Change rule',
  'exchange.try': 'Try it',
  'exchange.network.new': 'New network',
  'exchange.network.change': 'Change network',
  'exchange.bundles.title': 'Bundles',
  'company.exchange': 'Exchange across networks',
  'exchangeRecords.title': 'Exchange records',
}
