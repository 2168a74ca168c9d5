// The names of the kinds of jobs, for administrators.
import type { InBothLanguages } from '@cloudoc/contract'

const words: Readonly<Record<string, InBothLanguages>> = {
  'audit.archive': { zh: '归档审计日志', en: 'Archive the audit log' },
  'audit.verify': { zh: '校验审计日志', en: 'Verify the audit log' },
  'backup.run': { zh: '备份或检查备份', en: 'Back up, or check a backup' },
  conversion: { zh: '预览转换', en: 'Preview conversion' },
  'long conversion': { zh: '预览转换（大文件）', en: 'Preview conversion, large files' },
  'small picture': { zh: '缩略图', en: 'Thumbnail' },
  'directory.sync': { zh: '同步组织目录', en: 'Directory synchronization' },
  'delivery of an exchange': { zh: '跨网交换', en: 'Exchange delivery' },
  'recall of an exchange': { zh: '撤回跨网交换', en: 'Exchange recall' },
  mail: { zh: '发送系统邮件', en: 'System mail' },
  'mail.try': { zh: '测试邮件设置', en: 'Test of mail settings' },
  'mail.deliver': { zh: '发送邮件', en: 'Send mail' },
  'mail.fetch': { zh: '接收邮件', en: 'Fetch mail' },
  'rollback.run': { zh: '恢复到某个时间', en: 'Restore to an earlier time' },
  scan: { zh: '病毒扫描', en: 'Virus scan' },
  'sensitive content': { zh: '敏感内容检测', en: 'Sensitive content check' },
  'sensitive content of documents': { zh: '敏感内容检测（文档）', en: 'Sensitive content check, documents' },
  'sensitive content of long texts': { zh: '敏感内容检测（长文本）', en: 'Sensitive content check, long texts' },
  'signing.archive': { zh: '签署归档', en: 'Archive a signed document' },
  sms: { zh: '发送短信', en: 'Text message' },
  'sms.try': { zh: '测试短信设置', en: 'Test of text messages' },
  'versions.thin': { zh: '清理旧版本', en: 'Remove old versions' },
  'words of contents': { zh: '提取全文', en: 'Extract text' },
  'words of plain text': { zh: '提取全文（纯文本）', en: 'Extract plain text' },
  'words of scans': { zh: '识别扫描文字（OCR）', en: 'Recognize scanned text (OCR)' },
  'workflow.archive': { zh: '流程归档', en: 'Archive a process' },
}

/** The name of a kind; the kind itself if it has none. */
export const titleOf = (kind: string): { zh: string; en: string } => {
  const { zh, en } = words[kind] ?? { zh: kind, en: kind }
  return { zh, en }
}
