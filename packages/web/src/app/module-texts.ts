// Texts of pages that cannot be shown, loaded after sign-in to keep the login page small.
import { addTexts, type English } from '../core/i18n/i18n.ts'

const zh = {
  'app.notOpen': '没有对你开放',
  'app.notOpen.more': '请联系安全管理员在“角色与管理员”里为你的角色开放。',
  'app.notYet': '这里还没有内容',
  'app.notYet.more': '这个版本还没有这个页面。',
  'app.notYet.toFiles': '打开我的文件',
  'features.off': '这项功能已关闭',
  'features.off.more': '系统管理员关闭了这项功能，已有的数据都保留着。',
} as const

const en: English<typeof zh> = {
  'app.notOpen': 'Not open to you',
  'app.notOpen.more': 'Ask the security administrator to open it to one of your roles.',
  'app.notYet': 'Nothing here yet',
  'app.notYet.more': 'This version does not have this page.',
  'app.notYet.toFiles': 'Open my files',
  'features.off': 'This feature is switched off',
  'features.off.more': 'A system administrator has switched it off. Its data is kept.',
}

type ModuleTexts = typeof zh
declare module '../core/i18n/i18n.ts' {
  interface Texts extends ModuleTexts {}
}

addTexts(zh, en)
