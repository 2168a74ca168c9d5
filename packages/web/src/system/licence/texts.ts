// Texts of the licence page. They are loaded with that page.
import { addTexts, type English } from '../../core/i18n/i18n.ts'

const zh = {
  'licence.none': '没有授权文件',
  'licence.free': '这台服务器没有设置发证公钥，不需要授权，也没有账号数限制。',
  'licence.state.none': '没有授权',
  'licence.state.valid': '有效',
  'licence.state.grace': '已到期，在宽限期内',
  'licence.state.expired': '已到期',
  'licence.over': '授权已到期，宽限期已用完。不能再上传和修改；登录、查看和下载照常。导入新的授权文件后立即恢复。',
  'licence.grace': '授权已到期，{until} 前一切照常，以后不能再上传和修改。请尽快续期。',
  'licence.soon': '授权还有 {n} 天到期。到期后有 {days} 天宽限期。',
  'licence.seats': '成员',
  'licence.seatsNote': '超过时提示“账号数量超出限制”（-91）',
  'licence.workspaces': '文档库',
  'licence.workspacesNote': '公司、部门和项目文档库',
  'licence.days': '剩余天数',
  'licence.daysNote': '到期时间 {until}',
  'licence.unlimited': '不限',
  'licence.of': '/ {n}',
  'licence.card': '授权',
  'licence.scope.company': '公司授权',
  'licence.scope.system': '系统授权',
  'licence.customer': '客户',
  'licence.id': '授权编号',
  'licence.period': '有效期',
  'licence.periodOf': '{from} 至 {until}',
  'licence.graceDays': '宽限期',
  'licence.graceOf': '{n} 天',
  'licence.installation': '本系统编号',
  'licence.copy': '复制编号',
  'licence.copied': '已复制',
  'licence.how': '把编号发给发证方，换取授权文件，再在这里导入。不需要联网。',
  'licence.import': '导入授权文件',
  'licence.confirm': '导入授权 {id}？',
  'licence.confirmMore': '客户 {customer}，账号数 {seats}，有效期至 {until}。同类的旧授权会被替换。',
  'licence.put': '导入',
  'licence.done': '授权已生效',
  'licence.history': '历史',
  'licence.by': '{by} 导入 {ids}',
  'licence.byActivation': '激活时导入 {ids}',
} as const

const en: English<typeof zh> = {
  'licence.none': 'No licence file',
  'licence.free': 'This server has no key of an issuer: it needs no licence and has no limit of accounts by one.',
  'licence.state.none': 'No licence',
  'licence.state.valid': 'Valid',
  'licence.state.grace': 'Over, in its days of grace',
  'licence.state.expired': 'Over',
  'licence.over':
    'The licence is over, and so are its days of grace. Nothing can be uploaded or changed; signing in, viewing and downloading go on. A new licence file takes effect at once.',
  'licence.grace':
    'The licence is over. Everything works until {until}; after that nothing can be changed. Renew it soon.',
  'licence.soon': 'The licence ends in {n} days, followed by {days} days of grace.',
  'licence.seats': 'People',
  'licence.seatsNote': 'One more is refused with “account count over limit” (-91)',
  'licence.workspaces': 'Libraries',
  'licence.workspacesNote': 'Of the company, of departments and of projects',
  'licence.days': 'Days left',
  'licence.daysNote': 'Ends {until}',
  'licence.unlimited': 'No limit',
  'licence.of': 'of {n}',
  'licence.card': 'Licence',
  'licence.scope.company': 'Licence of the company',
  'licence.scope.system': 'Licence of the system',
  'licence.customer': 'Customer',
  'licence.id': 'Number',
  'licence.period': 'Valid',
  'licence.periodOf': '{from} to {until}',
  'licence.graceDays': 'Grace',
  'licence.graceOf': '{n} days',
  'licence.installation': 'This installation',
  'licence.copy': 'Copy number',
  'licence.copied': 'Copied',
  'licence.how':
    'Send the number to the issuer, who makes a licence file for it, and import the file here. No internet is needed.',
  'licence.import': 'Import licence file',
  'licence.confirm': 'Import licence {id}?',
  'licence.confirmMore':
    'Customer {customer}, accounts {seats}, valid until {until}. It replaces the one of the same kind.',
  'licence.put': 'Import',
  'licence.done': 'The licence is in force',
  'licence.history': 'History',
  'licence.by': '{by} imported {ids}',
  'licence.byActivation': '{ids}, at the activation',
}

type LicenceTexts = typeof zh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends LicenceTexts {}
}
addTexts(zh, en)
