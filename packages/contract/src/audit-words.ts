/*
 * The words of the audit in both languages, for its page and its CSV file: categories, actions that no call performs,
 * and the recorded details. Without schemas, so that the page loads them alone. The name of a call is its `title`.
 */
import { type Locale, LogBit, type LogBitName, Right, type RightName } from '@cloudoc/domain'
import type { AuditKind, InBothLanguages } from './call.ts'

/** The categories of the audit. */
export const auditKindTitles: Readonly<Record<AuditKind, InBothLanguages>> = {
  technical: { zh: '技术', en: 'Technical' },
  signIn: { zh: '登录与账号', en: 'Sign-ins and accounts' },
  file: { zh: '文件操作', en: 'Files' },
  rights: { zh: '权限变更', en: 'Rights' },
  administration: { zh: '管理操作', en: 'Administration' },
}

/** Actions that are recorded without a call of their name. */
const eventTitles: Readonly<Record<string, InBothLanguages>> = {
  auditArchived: { zh: '归档审计', en: 'Audit archived' },
  auditVerified: { zh: '校验完整性', en: 'Audit verified' },
  samlMetadataRead: { zh: '更新 SAML 元数据', en: 'SAML metadata renewed' },
  scimWrite: { zh: 'SCIM 同步', en: 'Provisioned by SCIM' },
  setUp: { zh: '安装', en: 'Installation' },
  encryptedDownload: { zh: '下载时加密', en: 'Encrypted as it was downloaded' },
  recoverPower: { zh: '在服务器上恢复管理权', en: 'Power recovered at the machine' },
  endedProcessesRemoved: { zh: '清除已结束的流程', en: 'Ended processes removed' },
  retentionRun: { zh: '执行保留规则', en: 'Retention rule run' },
  editContent: { zh: '为编辑载入内容', en: 'Content loaded for editing' },
}

/** The entries in the log of a file ([R190]). Those of tags and links are titles of their calls. */
const logTitles: Partial<Readonly<Record<LogBitName, InBothLanguages>>> = {
  download: { zh: '下载', en: 'Download' },
  add: { zh: '新增', en: 'Add' },
  edit: { zh: '编辑', en: 'Edit' },
  delete: { zh: '删除', en: 'Delete' },
  restore: { zh: '恢复', en: 'Restore' },
  copy: { zh: '复制', en: 'Copy' },
  cut: { zh: '移动', en: 'Move' },
  rename: { zh: '重命名', en: 'Rename' },
  conflict: { zh: '版本冲突', en: 'Version conflict' },
  resolveConflict: { zh: '解决冲突', en: 'Conflict resolved' },
  permissionChange: { zh: '修改权限', en: 'Rights changed' },
  secretChange: { zh: '修改密级', en: 'Secret level changed' },
  preview: { zh: '预览', en: 'Preview' },
  startEdit: { zh: '开始编辑', en: 'Editing started' },
}

/** The readable name of an action; undefined where nothing declares one. */
export function actionTitle(
  call: string,
  log: unknown,
  locale: Locale,
  titles: Readonly<Record<string, InBothLanguages>>,
): string | undefined {
  const bit = Object.entries(LogBit).find(([, value]) => value === log)?.[0] as LogBitName | undefined
  return (titles[call] ?? eventTitles[call] ?? (bit && logTitles[bit]))?.[locale]
}

type Form = 'time' | 'bytes' | 'rights' | 'settings'

/** A recorded detail: its label, and how its value is read. Details without a form are shown as they are. */
interface Field extends InBothLanguages {
  readonly form?: Form
  /** Not shown: what it says is shown elsewhere, as the name of an object or of the action. */
  readonly hidden?: true
}

const hidden = (zh: string, en: string): Field => ({ zh, en, hidden: true })

/** All details that the audit records. A new one gets its label here; the type of `context.audit` requires it. */
export const auditFields = {
  log: hidden('日志类型', 'Kind of log'),
  refused: hidden('结果', 'Result'),
  // Objects, which have a name beside the details.
  name: { zh: '名称', en: 'Name' },
  tagName: hidden('标签', 'Tag'),
  userId: hidden('成员编号', 'Person'),
  userIdArray: { zh: '成员编号', en: 'Member numbers' },
  accountId: hidden('账号编号', 'Account'),
  account: hidden('账号', 'Account'),
  successorId: hidden('接收人', 'Successor'),
  people: hidden('人员', 'People'),
  groupId: hidden('部门编号', 'Department'),
  roleId: hidden('角色编号', 'Role'),
  itemId: hidden('文件编号', 'Item'),
  fileId: hidden('文件编号', 'File'),
  folderId: hidden('文件夹编号', 'Folder'),
  libraryId: hidden('文档库编号', 'Library'),
  jobId: { zh: '任务编号', en: 'Job number' },
  rollbackId: { zh: '恢复编号', en: 'Restore number' },
  tagId: hidden('标签编号', 'Tag'),
  template: hidden('水印编号', 'Watermark'),
  settings: { zh: '设置', en: 'Settings', form: 'settings' },
  from: { zh: '原值', en: 'Before' },
  to: { zh: '新值', en: 'After' },
  version: { zh: '版本', en: 'Version' },
  restoredFrom: { zh: '恢复自版本', en: 'Restored from version' },
  comment: { zh: '说明', en: 'Comment' },
  comments: { zh: '说明', en: 'Comment' },
  way: { zh: '方式', en: 'Way' },
  sort: { zh: '排序', en: 'Sorted by' },
  order: { zh: '顺序', en: 'Order' },
  associate: { zh: '关联', en: 'Associated' },
  commentId: { zh: '评论编号', en: 'Comment number' },
  conversationId: { zh: '会话编号', en: 'Conversation number' },
  messageNumber: { zh: '消息序号', en: 'Message number' },
  exportId: { zh: '导出编号', en: 'Export number' },
  agrees: { zh: '同意', en: 'Agreed' },
  contactGroupId: { zh: '联系人分组编号', en: 'Contact group number' },
  of: { zh: '作者编号', en: 'Author number' },
  editorId: { zh: '编辑人编号', en: 'Editor number' },
  until: { zh: '有效期至', en: 'Until', form: 'time' },
  at: { zh: '时间点', en: 'Moment', form: 'time' },
  readOnly: { zh: '只读', en: 'Read-only' },
  restricted: { zh: '受控', en: 'Restricted' },
  linksDisabled: { zh: '禁止外链', en: 'External links disallowed' },
  limitId: { zh: '限额编号', en: 'Limit number' },
  subjectType: { zh: '对象类型', en: 'Kind of subject' },
  subjectId: { zh: '对象编号', en: 'Subject number' },
  perDay: { zh: '每日次数', en: 'Per day' },
  quota: { zh: '配额', en: 'Quota', form: 'bytes' },
  fileLimit: { zh: '文件数上限', en: 'Most files' },
  limit: { zh: '上限', en: 'Limit' },
  rules: { zh: '规则数', en: 'Rules' },
  trace: { zh: '水印编号', en: 'Watermark number' },
  kind: { zh: '类型', en: 'Kind' },
  closed: { zh: '已关闭', en: 'Closed' },
  managers: { zh: '管理员编号', en: 'Managers' },
  entries: { zh: '授权', en: 'Entries of rights' },
  count: { zh: '数量', en: 'Count' },
  kept: { zh: '按规定保留', en: 'Kept by a rule' },
  holdId: { zh: '保全编号', en: 'Hold number' },
  told: { zh: '告知相关人', en: 'People are told' },
  days: { zh: '天数', en: 'Days' },
  bytes: { zh: '大小', en: 'Size', form: 'bytes' },
  forGood: { zh: '彻底删除', en: 'Deletes for good' },
  placeId: { zh: '位置编号', en: 'Place' },
  levelFrom: { zh: '最低密级', en: 'Lowest level' },
  levelTo: { zh: '最高密级', en: 'Highest level' },
  exts: { zh: '文件类型', en: 'Kinds of files' },
  heldPeople: { zh: '保全的人', en: 'People on hold' },
  heldPlaces: { zh: '保全的位置', en: 'Places on hold' },
  reviewId: { zh: '申请编号', en: 'Request number' },
  applicationId: { zh: '申请编号', en: 'Application number' },
  applicationIdArray: { zh: '申请编号', en: 'Application numbers' },
  items: { zh: '项数', en: 'Items' },
  number: { zh: '编号', en: 'Number' },
  targetServerCode: { zh: '目标网络', en: 'Network' },
  remindId: { zh: '通知编号', en: 'Notice' },
  problem: { zh: '问题', en: 'Problem' },
  fingerprint: { zh: '公钥指纹', en: 'Fingerprint' },
  applyIdArray: { zh: '交换编号', en: 'Exchanges' },
  approveIdArray: { zh: '收件编号', en: 'Received' },
  ruleIdArray: { zh: '规则编号', en: 'Rule numbers' },
  operation: { zh: '操作', en: 'Operation' },
  notifyId: { zh: '催办编号', en: 'Urge number' },
  activityId: { zh: '签署编号', en: 'Signing number' },
  sealId: { zh: '印章编号', en: 'Seal number' },
  packageId: { zh: '安装包编号', en: 'Installer number' },
  signerId: { zh: '签署人编号', en: 'Signer number' },
  logId: { zh: '日志编号', en: 'Log number' },
  signatureId: { zh: '签名编号', en: 'Signature number' },
  certificateId: { zh: '证书编号', en: 'Certificate number' },
  revision: { zh: '签署版本', en: 'Signed revision' },
  notifyType: { zh: '要求', en: 'Asked for' },
  receivers: { zh: '人数', en: 'People' },
  checkId: { zh: '检测编号', en: 'Number of the check' },
  ruleId: { zh: '规则编号', en: 'Number of the rule' },
  ruleAction: { zh: '命中后', en: 'After a hit' },
  isEnabled: { zh: '启用', en: 'On' },
  reviewers: { zh: '审批人', en: 'Reviewers' },
  runId: { zh: '重新检测编号', en: 'Number of the repeated check' },
  authorizationId: { zh: '申请编号', en: 'Request number' },
  right: { zh: '权限', en: 'Rights', form: 'rights' },
  rights: { zh: '权限', en: 'Rights', form: 'rights' },
  externalLink: { zh: '外链编号', en: 'Link number' },
  externalLinks: { zh: '外链编号', en: 'Link numbers' },
  password: { zh: '新密码', en: 'New password' },
  paused: { zh: '已暂停', en: 'Paused' },
  mails: { zh: '邮件数', en: 'Mails' },
  reason: { zh: '原因', en: 'Reason' },
  policyId: { zh: '策略编号', en: 'Policy number' },
  domains: { zh: '邮箱域名', en: 'Mail domains' },
  approvers: { zh: '审批人编号', en: 'Approvers' },
  mayCreate: { zh: '可以创建', en: 'May create' },
  defaultDays: { zh: '默认天数', en: 'Days by default' },
  longestDays: { zh: '最长天数', en: 'Most days' },
  needsPassword: { zh: '必须有密码', en: 'Needs a password' },
  mayDownload: { zh: '可以下载', en: 'May download' },
  needsApproval: { zh: '需要审批', en: 'Needs approval' },
  done: { zh: '完成的步骤', en: 'Finished step' },
  forced: { zh: '强制', en: 'Forced' },
  feature: { zh: '功能', en: 'Feature' },
  apply: { zh: '采用', en: 'Applied' },
  isOn: { zh: '开启', en: 'On' },
  skip: { zh: '以后再做的步骤', en: 'Step left for later' },
  finish: { zh: '结束', en: 'Finished' },
  serverId: { zh: '服务器编号', en: 'Server number' },
  apiHost: hidden('服务器地址', 'Address of the server'),
  set: { zh: '已设置', en: 'Set' },
  visitor: { zh: '访客', en: 'Visitor' },
  changed: { zh: '修改的内容', en: 'Changed' },
  changes: { zh: '修改', en: 'Changes' },
  change: { zh: '修改', en: 'Change' },
  external: { zh: '外部角色', en: 'External' },
  state: { zh: '状态', en: 'State' },
  added: { zh: '新增', en: 'Added' },
  removed: { zh: '移除', en: 'Removed' },
  updated: { zh: '更新', en: 'Updated' },
  written: { zh: '已写入', en: 'Written' },
  notDone: { zh: '未完成', en: 'Not done' },
  groups: { zh: '部门', en: 'Departments' },
  members: { zh: '成员数', en: 'People' },
  tasks: { zh: '任务', en: 'Tasks' },
  wiped: { zh: '擦除数据', en: 'Data wiped' },
  deviceId: { zh: '设备编号', en: 'Device' },
  devices: { zh: '设备编号', en: 'Devices' },
  program: { zh: '程序', en: 'Program' },
  programId: { zh: '令牌编号', en: 'Token' },
  scopes: { zh: '权限范围', en: 'Scopes' },
  licence: { zh: '授权编号', en: 'Licence' },
  customer: { zh: '客户', en: 'Customer' },
  seats: { zh: '账号数', en: 'Seats' },
  accountLimit: { zh: '账号上限', en: 'Most accounts' },
  power: { zh: '管理职权', en: 'Power' },
  given: { zh: '授予', en: 'Given to' },
  taken: { zh: '收回', en: 'Taken from' },
  // Fields of changed accounts and capabilities.
  accountName: { zh: '姓名', en: 'Name' },
  title: { zh: '职务', en: 'Position' },
  email: { zh: '邮箱', en: 'Email' },
  phone: { zh: '手机', en: 'Phone' },
  gender: { zh: '性别', en: 'Gender' },
  secretLevel: { zh: '密级', en: 'Secret level' },
  expireTime: { zh: '到期时间', en: 'Expires', form: 'time' },
  otherGroupIds: { zh: '兼任部门编号', en: 'Other departments' },
  roleIds: { zh: '角色编号', en: 'Roles' },
  addRoleId: { zh: '增加角色编号', en: 'Role added' },
  removeRoleId: { zh: '移除角色编号', en: 'Role removed' },
  capability: { zh: '功能', en: 'Capability' },
  allowed: { zh: '允许', en: 'Allowed' },
  processId: { zh: '流程编号', en: 'Process number' },
  taskId: { zh: '节点编号', en: 'Task number' },
  templateId: { zh: '流程模板编号', en: 'Workflow template number' },
  // Passkeys, and roles that need a second factor.
  passkeyId: { zh: '通行密钥编号', en: 'Passkey' },
  needed: { zh: '要求', en: 'Demanded' },
  // Sign-in providers.
  freeze: { zh: '冻结', en: 'Freeze' },
  providerId: { zh: '登录提供方编号', en: 'Sign-in provider' },
  identityId: { zh: '外部身份编号', en: 'Identity' },
  dry: { zh: '仅预览', en: 'Preview only' },
  ended: { zh: '结束的会话', en: 'Sessions ended' },
  enabled: { zh: '启用', en: 'Enabled' },
  ok: { zh: '测试通过', en: 'Test passed' },
  secretChanged: { zh: '更换了密码', en: 'Secret changed' },
  // Mail.
  outgoingId: { zh: '邮件编号', en: 'Mail number' },
  files: { zh: '文件数', en: 'Files' },
  address: { zh: '地址', en: 'Address' },
  webhookId: hidden('Webhook 编号', 'Webhook'),
  position: { zh: '位置', en: 'Position' },
  boxId: { zh: '邮箱编号', en: 'Mailbox' },
  mailId: { zh: '邮件编号', en: 'Mail' },
} as const satisfies Readonly<Record<string, Field>>

/** A detail that the audit may record. */
export type AuditField = keyof typeof auditFields

/** What an audit row records besides the call and its objects. */
export type AuditDetail = { readonly [K in AuditField]?: string | number | boolean | null }

const rightTitles: Readonly<Record<RightName | 'deny', InBothLanguages>> = {
  deny: { zh: '禁止', en: 'denied' },
  display: { zh: '可见', en: 'visible' },
  preview: { zh: '预览', en: 'preview' },
  download: { zh: '下载', en: 'download' },
  upload: { zh: '上传', en: 'upload' },
  move: { zh: '移动', en: 'move' },
  modify: { zh: '修改', en: 'modify' },
  delete: { zh: '删除', en: 'delete' },
  externalLink: { zh: '外链', en: 'external links' },
  grant: { zh: '授权', en: 'grant' },
  print: { zh: '打印', en: 'print' },
  full: { zh: '完全控制', en: 'full control' },
  secretLevel: { zh: '修改密级', en: 'change secret levels' },
}
const yesNo = { true: { zh: '是', en: 'yes' }, false: { zh: '否', en: 'no' } } as const

/** How details are written. */
export interface DetailStyle {
  readonly locale: Locale
  /** The company's time zone. */
  readonly timeZone: string
  /** A changed setting in words; undefined for unknown ones. */
  readonly settingChange: (change: SettingChange) => string | undefined
}

/** A changed setting as recorded. */
export interface SettingChange {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

/** Formats a moment in a time zone: 2026-11-20 10:12:33. */
export function timeIn(at: number, timeZone: string): string {
  return new Date(at).toLocaleString('sv-SE', { timeZone, hour12: false }).slice(0, 19)
}

/** Formats a moment for somebody who may be elsewhere, as in mails: 2026-11-20 10:12 (UTC+8). */
export function momentIn(at: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at)
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', 'UTC') ?? 'UTC'
  return `${timeIn(at, timeZone).slice(0, 16)} (${offset})`
}

/** The recorded details as labels with readable values. Details that are shown elsewhere are left out. */
export function detailLines(
  detail: Readonly<Record<string, unknown>>,
  style: DetailStyle,
): { readonly label: string; readonly value: string }[] {
  return Object.entries(detail).flatMap(([name, value]) => {
    const field: Field | undefined = name in auditFields ? auditFields[name as AuditField] : undefined
    if (field?.hidden === true || value === null || value === '') return []
    // A moment of 0 is none.
    if (field?.form === 'time' && value === 0) return []
    return [{ label: field?.[style.locale] ?? name, value: written(value, field?.form, style) }]
  })
}

function written(value: unknown, form: Form | undefined, style: DetailStyle): string {
  const { locale, timeZone } = style
  if (typeof value === 'number') {
    if (form === 'time') return timeIn(value, timeZone)
    if (form === 'bytes') return `${value.toLocaleString(locale)} B`
    if (form === 'rights') return rightsIn(value, locale)
    return String(value)
  }
  if (typeof value === 'boolean') return yesNo[`${value}`][locale]
  if (typeof value === 'string') {
    const parsed = jsonOf(value)
    if (form === 'settings' && Array.isArray(parsed)) return settingsIn(parsed as SettingChange[], style)
    return parsed === undefined ? value : written(parsed, form, style)
  }
  const comma = locale === 'zh' ? '、' : ', '
  if (Array.isArray(value)) return value.map((one) => written(one, form, style)).join(comma)
  if (typeof value !== 'object' || value === null) return '—'
  const colon = locale === 'zh' ? '：' : ': '
  return Object.entries(value)
    .map(([name, one]) => {
      const field: Field | undefined = name in auditFields ? auditFields[name as AuditField] : undefined
      return `${field?.[locale] ?? name}${colon}${written(one, field?.form, style)}`
    })
    .join(comma)
}

function settingsIn(changes: readonly SettingChange[], style: DetailStyle): string {
  return changes.flatMap((one) => style.settingChange(one) ?? []).join(style.locale === 'zh' ? '；' : '; ')
}

function rightsIn(mask: number, locale: Locale): string {
  const held = (Object.entries(Right) as [RightName | 'deny', number][]).filter(([, bit]) => (mask & bit) !== 0)
  return held.map(([name]) => rightTitles[name][locale]).join(locale === 'zh' ? '、' : ', ')
}

function jsonOf(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
