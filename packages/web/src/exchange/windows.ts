// The windows of the exchange.
import { t } from '../core/i18n/i18n.ts'
import { win } from '../core/windows/index.ts'
import { itemFromQuery, numberFromQuery } from '../items/item/item-from-query.ts'
import type { SentItem } from './exchange-queries.ts'
import type {
  DetailProps,
  NetworkProps,
  PasswordProps,
  PickedUp,
  RuleProps,
  SendProps,
  TryProps,
} from './window-props.ts'

const sampleItem: SentItem = {
  ...{ fId: 1, fType: 1, fName: 'B2 厂房给排水平面图.dwg', extName: 'dwg', fileSize: 13_526_630 },
  ...{ secretLevel: 2, secretName: '秘密' },
}
const nameOf = (items: readonly { readonly fName: string }[]): string => {
  const name = items[0]?.fName ?? ''
  return items.length > 1 ? t('exchange.many', { name, n: items.length }) : name
}

export const exchangeWindows = {
  'file-exchange-send': win<SendProps, boolean>({
    title: ({ items }) => t('exchange.send.titleOf', { name: nameOf(items) }),
    size: { width: 700, height: 540 },
    fromQuery: async (query) => ({ items: [await itemFromQuery(query)] }),
    load: () => import('./exchange-send.tsx').then((module) => module.ExchangeSend),
    sample: { items: [sampleItem] },
  }),
  'file-exchange-detail': win<DetailProps, boolean>({
    title: ({ name }) => (name === undefined ? t('exchange.detail.title') : t('exchange.detail.titleOf', { name })),
    size: { width: 700, height: 660 },
    fromQuery: (query) => ({
      applyId: Number(query.get('applyId') ?? 0),
      approveId: Number(query.get('approveId') ?? 0),
    }),
    load: () => import('./exchange-detail.tsx').then((module) => module.ExchangeDetail),
    sample: { applyId: 1, approveId: 0, name: 'B2 厂房给排水平面图.dwg' },
  }),
  'file-exchange-required-password': win<PasswordProps, PickedUp>({
    title: 'exchange.password.title',
    size: { width: 410, height: 220 },
    fromQuery: (query) => ({ approveId: numberFromQuery(query, 'approveId'), folderId: 0, sender: '' }),
    load: () => import('./exchange-password.tsx').then((module) => module.ExchangePassword),
    sample: { approveId: 1, folderId: 0, sender: '周航' },
  }),
  'company-exchange-rule': win<RuleProps, boolean>({
    title: ({ rule }) => t(rule === undefined ? 'exchange.rule.new' : 'exchange.rule.change'),
    size: { width: 720, height: 640 },
    load: () => import('./admin-rule.tsx').then((module) => module.ExchangeRuleWindow),
    sample: { networks: [{ targetServerCode: 'rd', targetName: '研发内网' }], libraries: [] },
  }),
  'company-exchange-try': win<TryProps>({
    title: 'exchange.try',
    size: { width: 640, height: 600 },
    load: () => import('./admin-try.tsx').then((module) => module.ExchangeTryWindow),
    sample: { networks: [{ targetServerCode: 'rd', targetName: '研发内网' }], libraries: [] },
  }),
  'company-exchange-network': win<NetworkProps, boolean>({
    title: ({ network }) => t(network === undefined ? 'exchange.network.new' : 'exchange.network.change'),
    size: { width: 560, height: 'auto' },
    load: () => import('./admin-network.tsx').then((module) => module.ExchangeNetworkWindow),
    sample: { servers: [] },
  }),
}
