// The texts of a digest mail around its notices, and the groups of notices.
import type { NoticeGroup } from '@cloudoc/contract'
import type { Locale } from '@cloudoc/domain'

/** What a mail says of a notice whose push this build does not know. */
export const groups: Readonly<Record<NoticeGroup, Readonly<Record<Locale, string>>>> = {
  announcement: { zh: '公告', en: 'An announcement' },
  fileChange: { zh: '文件变更', en: 'A file changed' },
  authorization: { zh: '权限变更', en: 'Your rights changed' },
  workflow: { zh: '审批', en: 'A workflow' },
  reminder: { zh: '催办', en: 'A reminder' },
  email: { zh: '邮件', en: 'An e-mail' },
  audit: { zh: '敏感审核', en: 'A sensitive file' },
  operationApply: { zh: '操作申请', en: 'An application' },
  downloadLimit: { zh: '下载限额', en: 'A download limit' },
  fileExchange: { zh: '文件交换', en: 'A file exchange' },
  fileSign: { zh: '文件签署', en: 'A file to sign' },
  fileSubmit: { zh: '文件提交', en: 'A file was submitted' },
  permissionApply: { zh: '权限申请', en: 'Somebody asks for rights' },
  instantMessage: { zh: '未读消息', en: 'An unread message' },
}

/** The texts around the lines. */
export const around = {
  zh: {
    subject: (company: string, n: string) => `${company}：${n} 条通知还没看`,
    intro: (n: string) => `你有 ${n} 条通知还没看：`,
    rest: (n: string) => `还有 ${n} 条`,
    all: '查看全部通知',
    why: '这封邮件按你在“应用设置 › 通知”里的选择发送，可以在那里改或关闭。',
    company: '企业云文档',
  },
  en: {
    subject: (company: string, n: string) => `${company}: ${n} unread ${n === '1' ? 'notice' : 'notices'}`,
    intro: (n: string) =>
      n === '1' ? 'There is a notice you have not seen:' : `There are ${n} notices you have not seen:`,
    rest: (n: string) => `${n} more`,
    all: 'All notices',
    why: 'You get this mail by your choice under App settings › Notices, where you can change it or turn it off.',
    company: 'Cloudoc',
  },
} as const
