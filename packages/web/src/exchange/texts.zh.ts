// Chinese texts of the exchange that are loaded with the page; texts.en.ts has the same keys. Those of its windows and
// lists are in exchange-texts.zh.ts.
export const zh = {
  'exchange.menu.send': '跨网发送…',
  'exchange.group': '跨网交换',
  'exchange.sent': '我发出的',
  'exchange.receive': '我收到的',
  'exchange.review': '待我审批',
  'exchange.send.title': '跨网发送',
  'exchange.send.titleOf': '跨网发送 — {name}',
  'exchange.detail.title': '跨网交换',
  'exchange.detail.titleOf': '跨网交换 — {name}',
  'exchange.password.title': '输入取件密码',
  'exchange.many': '{name} 等 {n} 项',
  'exchange.rule.new': '新建交换规则',
  'exchange.rule.change': '修改交换规则',
  'exchange.try': '试一试',
  'exchange.network.new': '新建目标网络',
  'exchange.network.change': '修改目标网络',
  'exchange.bundles.title': '交换包',
  'company.exchange': '跨网交换',
  'exchangeRecords.title': '交换记录',
} as const
