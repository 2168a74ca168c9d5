// Texts that are loaded with the pages for phones, to keep the first load small.
import { addTexts, type English } from '../core/i18n/i18n.ts'

const zh = {
  'mobile.safe': '浏览器已答应不清除离线文件。',
  'mobile.gone': '不在这部手机上了',
  'mobile.goneCount': '{n} 个已不在手机上',
  'mobile.goneWhy': '空间不足时，浏览器会清除保存的文件；退出登录也会清除。点文件名重新保存。',
  'mobile.again': '重新保存',
  'mobile.forget': '不再列出“{name}”',
  'mobile.due': '{n} 项待处理',
  'mobile.downloads': '待我审批的下载',
  'mobile.waiting': '{n} 个文件在这部手机上等待上传',
  'mobile.stuck': '{n} 个上传需要你处理',
} as const

const en: English<typeof zh> = {
  'mobile.safe': 'The browser has promised to keep offline files.',
  'mobile.gone': 'No longer on this phone',
  'mobile.goneCount': '{n} no longer here',
  'mobile.goneWhy':
    'Browsers remove saved files when space is low, and so does signing out. Tap a name to save the file again.',
  'mobile.again': 'Save again',
  'mobile.forget': 'Take “{name}” off the list',
  'mobile.due': '{n} waiting',
  'mobile.downloads': 'Downloads waiting for me',
  'mobile.waiting': '{n} files on this phone are waiting to be uploaded',
  'mobile.waiting_one': '{n} file on this phone is waiting to be uploaded',
  'mobile.stuck': '{n} uploads need you',
  'mobile.stuck_one': '{n} upload needs you',
}

type LateTexts = typeof zh
declare module '../core/i18n/i18n.ts' {
  interface Texts extends LateTexts {}
}

addTexts(zh, en)
