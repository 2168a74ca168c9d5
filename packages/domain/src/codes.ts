/** The two languages of the interface. [R002] */
export type Locale = 'zh' | 'en'

interface Code {
  readonly code: number
  readonly zh: string
  readonly en: string
  /** Distinguishes the code from another one with the same documented text; used in `msg` only. [X20] */
  readonly msg?: { readonly zh: string; readonly en: string }
}

/**
 * All result codes by name, with their texts in both languages. [R382]-[R387] [R401] `success` is -1 and 0 is an error,
 * so a result must never be tested for truthiness.
 */
export const codes = {
  unknown: { code: 0, zh: '未知错误', en: 'unknown error' },
  success: { code: -1, zh: '成功', en: 'success' },
  serverException: { code: -2, zh: '操作失败，服务器异常', en: 'failure (server exception)' },
  notFound: { code: -3, zh: '不存在或已被删除', en: 'not found' },
  noPermission: { code: -4, zh: '没有权限', en: 'no permission' },
  alreadyExists: { code: -5, zh: '同名文件或文件夹已存在', en: 'already exists' },
  illegalName: { code: -6, zh: '名称不合法', en: 'illegal name' },
  moveIntoSubfolder: { code: -7, zh: '不能移动到自身的子文件夹', en: 'move into a subfolder' },
  sameFolder: { code: -8, zh: '不能移动到所在的文件夹', en: 'move into the same folder' },
  uploadInterrupted: { code: -9, zh: '上传中断', en: 'upload interrupted' },
  workspaceCountExceeded: { code: -10, zh: '超出免费版工作区数量', en: 'over the free-edition workspace count' },
  uploadSizeExceeded: { code: -11, zh: '超出单个文件上传大小', en: 'over single-file upload size' },
  interconnectedServerInvalid: { code: -13, zh: '互联服务器无效', en: 'interconnected server invalid' },
  interconnectedServerMissing: { code: -14, zh: '互联服务器不存在', en: 'interconnected server missing' },
  interconnectedServerNotResponding: { code: -15, zh: '互联服务器无响应', en: 'interconnected server not responding' },
  interconnectedServerFaulty: { code: -16, zh: '互联服务器故障', en: 'interconnected server faulty' },
  typeRestricted: { code: -20, zh: '该类型的文件限制上传', en: 'upload type restricted' },
  wrongPassword: { code: -21, zh: '密码错误', en: 'wrong password' },
  fileSizeExceeded: { code: -22, zh: '超出单个文件大小限制', en: 'over single-file size limit' },
  folderSizeExceeded: { code: -23, zh: '超出文件夹大小限制', en: 'over folder size limit' },
  userSizeExceeded: { code: -24, zh: '超出用户空间限制', en: 'over user size limit' },
  colleagueSizeExceeded: { code: -25, zh: '超出同事文档空间限制', en: 'over colleague-document size limit' },
  wrongLinkPassword: { code: -26, zh: '外链密码错误', en: 'wrong link password' },
  linkDownloadLimit: { code: -27, zh: '外链下载次数已用完', en: 'link download limit reached' },
  linkExpired: { code: -28, zh: '外链已过期', en: 'link expired' },
  uploadNotFinished: { code: -29, zh: '文件尚未上传完成', en: 'upload not finished' },
  processLaunchedTwice: { code: -30, zh: '流程重复发起', en: 'process launched twice' },
  alreadyInProcess: { code: -33, zh: '文件已在流程中', en: 'file already in a process' },
  linkCopyProtected: { code: -34, zh: '外链禁止复制', en: 'link copy protection' },
  versionMissing: { code: -35, zh: '版本不存在', en: 'version missing' },
  noArchiveFolder: { code: -36, zh: '没有归档文件夹', en: 'no archive folder' },
  fileConflict: { code: -39, zh: '文件冲突', en: 'file conflict' },
  fileLocked: { code: -40, zh: '文件已被锁定', en: 'file locked' },
  noEditLock: { code: -41, zh: '没有编辑锁', en: 'no edit lock' },
  sendingTooOften: { code: -42, zh: '发送过于频繁', en: 'sending too often' },
  invalidMobileNumber: { code: -43, zh: '手机号码无效', en: 'invalid mobile number' },
  licenceExpired: { code: -46, zh: '许可已过期，请联系管理员', en: 'licence expired, contact the administrator' },
  accountLocked: { code: -47, zh: '账号已锁定', en: 'account locked' },
  passwordRequirements: { code: -48, zh: '密码不符合要求', en: 'password does not meet requirements' },
  invalidDeviceId: { code: -49, zh: '设备标识无效', en: 'invalid device id' },
  deviceWiped: { code: -50, zh: '设备已被擦除', en: 'device wiped' },
  ownAccount: {
    code: -57,
    zh: '不能删除自己的账号',
    en: 'cannot delete own account',
    msg: { zh: '不能对自己的账号进行这项操作', en: 'this cannot be done to one’s own account' },
  },
  adminAccount: { code: -58, zh: '不能删除管理员账号', en: 'cannot delete the admin account' },
  accountRestricted: { code: -66, zh: '账号受限', en: 'account restricted' },
  alreadyHandled: { code: -67, zh: '授权申请已被处理', en: 'authorization request already handled' },
  sensitiveFile: { code: -68, zh: '敏感文件', en: 'sensitive file' },
  notLoggedIn: { code: -69, zh: '未登录', en: 'not logged in' },
  qrHandled: { code: -70, zh: '二维码登录已处理', en: 'QR login already handled' },
  qrScanned: { code: -71, zh: '二维码已扫描', en: 'QR login scanned' },
  qrInvalid: { code: -72, zh: '二维码已失效', en: 'QR login invalid' },
  qrRefused: { code: -73, zh: '二维码登录被拒绝', en: 'QR login refused' },
  readOnlyFolder: { code: -75, zh: '只读文件夹不能删除', en: 'read-only folder cannot be deleted' },
  sameAsOld: { code: -77, zh: '新密码与旧密码相同', en: 'new password equals old' },
  sameAsAccount: { code: -78, zh: '新密码与账号相同', en: 'new password equals account' },
  passwordChangeRequired: { code: -80, zh: '需要修改密码', en: 'password change required' },
  capacityExceeded: { code: -82, zh: '容量超出', en: 'capacity exceeded' },
  capacityNotSatisfied: { code: -83, zh: '容量不满足', en: 'capacity not satisfied' },
  secretLevel: { code: -90, zh: '涉密文件，密级不足', en: 'secret-level file' },
  accountCountExceeded: { code: -91, zh: '账号数量超出限制', en: 'account count over limit' },
  duplicateRequest: { code: -95, zh: '重复的授权申请', en: 'duplicate authorization request' },
  virusFile: { code: -98, zh: '病毒文件', en: 'virus file' },
  duplicateOperation: { code: -109, zh: '重复操作', en: 'duplicate operation' },
  wrongVerificationCode: { code: -115, zh: '验证码错误', en: 'wrong verification code' },
  passwordExpired: { code: -137, zh: '密码已过期', en: 'password expired' },
  accountFrozen: { code: -141, zh: '账号已停用（冻结）', en: 'account disabled (frozen)' },
  exchangeOutsideRules: { code: -181, zh: '交换的文件不在发送规则内', en: 'exchanged file outside the send rules' },
  senderNotInRule: {
    code: -182,
    zh: '无权发送给{name}',
    en: 'no right to send to {name}',
    msg: { zh: '发送人不在规则内', en: 'sender not in rule' },
  },
  folderWithoutApprover: {
    code: -183,
    zh: '需要审批，但该文件夹未设置审批人',
    en: 'approval needed but no approver configured for the folder',
    msg: { zh: '文件夹未设置审批人', en: 'folder without approver' },
  },
  exchangeFileCount: { code: -185, zh: '超出交换文件数量', en: 'over the exchange file count' },
  levelWithoutApprover: {
    code: -187,
    zh: '需要审批，但该文件夹未设置审批人',
    en: 'approval needed but no approver configured for the folder',
    msg: { zh: '密级未设置审批人', en: 'level without approver' },
  },
  noFilesInFolder: { code: -190, zh: '该文件夹中没有文件', en: 'no files in that folder' },
  receiverNotInRule: {
    code: -192,
    zh: '无权发送给{name}',
    en: 'no right to send to {name}',
    msg: { zh: '接收人不在规则内', en: 'receiver not in rule' },
  },
  converting: { code: -200, zh: '正在转换', en: 'converting' },
  conversionFailed: { code: -201, zh: '转换失败', en: 'conversion failed' },
  conversionTimedOut: { code: -202, zh: '转换超时', en: 'conversion timed out' },
  cellLimit: { code: -203, zh: '超出单元格数量限制', en: 'cell limit' },
  noConversionLock: { code: -204, zh: '未取得转换锁', en: 'no conversion lock' },
  conversionUnsupported: { code: -205, zh: '不支持该格式的转换', en: 'unsupported format' },
  sourceEncrypted: { code: -206, zh: '源文件已加密或有密码保护', en: 'source encrypted or password protected' },
  sameAsGuestPassword: { code: -214, zh: '新密码与访客密码相同', en: 'new password equals the guest password' },
  guestPasswordInvalid: {
    code: -217,
    zh: '访客密码无效或已过期',
    en: 'guest password invalid or expired',
    msg: { zh: '访客密码无效', en: 'guest password invalid' },
  },
  guestPasswordExpired: {
    code: -220,
    zh: '访客密码无效或已过期',
    en: 'guest password invalid or expired',
    msg: { zh: '访客密码已过期', en: 'guest password expired' },
  },
  associatedSameName: {
    code: -223,
    zh: '关联文件夹不能同名或重命名',
    en: 'associated folders cannot share a name or be renamed',
    msg: { zh: '关联文件夹不能同名', en: 'associated folders cannot share a name' },
  },
  noPermissionsToPaste: {
    code: -228,
    zh: '粘贴权限失败，源没有设置权限',
    en: 'paste of permissions failed because the source has none set',
  },
  systemLicenceExpired: { code: -238, zh: '系统许可已过期', en: 'system licence expired' },
  associatedRename: {
    code: -255,
    zh: '关联文件夹不能同名或重命名',
    en: 'associated folders cannot share a name or be renamed',
    msg: { zh: '关联文件夹不能重命名', en: 'associated folders cannot be renamed' },
  },
  nameTooLong: { code: -256, zh: '文件或文件夹名称过长', en: 'file or folder name too long' },
  // Codes that the spec does not define. Ours are numbered outside the range of the spec.
  badRequest: { code: -400, zh: '请求参数错误', en: 'bad parameters' },
  confirmDiffers: { code: -401, zh: '确认密码与新密码不一致', en: 'confirm password differs from new password' },
  storageUnavailable: {
    code: -402,
    zh: '文件存储暂时不可用，请稍后再试',
    en: 'file storage is not available at the moment',
  },
  tooDeep: { code: -403, zh: '文件夹层级过多', en: 'too many levels of folders' },
  holdsDeleted: {
    code: -404,
    zh: '文件夹里还有更早删除的内容',
    en: 'the folder holds what was deleted before it',
  },
  settingChanged: {
    code: -405,
    zh: '这项设置刚被别人改过，请查看新的值后再保存',
    en: 'somebody else has just changed this setting: look at its new value, then save again',
  },
  settingsContradict: { code: -406, zh: '这些设置互相矛盾', en: 'these settings contradict each other' },
  addressNotAllowed: {
    code: -407,
    zh: '不允许从这个网络地址访问，请联系管理员',
    en: 'access from this network address is not allowed, ask the administrator',
  },
  archiveTooLarge: {
    code: -409,
    zh: '压缩包超出限制：最多 10000 项，单个文件 64 MB，解压后共 512 MB',
    en: 'the archive is over a limit: 10,000 entries, 64 MB for one file, 512 MB unpacked',
  },
  restrictedDocument: {
    code: -410,
    zh: '受限文档：没有编辑权限的人不能下载、复制和移动',
    en: 'a restricted document: people without the right to edit cannot download, copy or move it',
  },
  tooMany: { code: -408, zh: '数量已达上限', en: 'there are as many as there may be' },
  secondFactorDue: { code: -420, zh: '请输入动态验证码', en: 'enter the code of your authenticator' },
  secondFactorSent: { code: -534, zh: '请输入短信验证码', en: 'enter the code of the text message' },
  wrongSecondFactor: { code: -421, zh: '动态验证码不正确', en: 'wrong code of the second factor' },
  secondFactorMissing: {
    code: -422,
    zh: '管理员需要先开启两步验证',
    en: 'administrators must switch on two-step sign-in first',
  },
  companyNotFound: { code: -423, zh: '没有找到这个企业代码', en: 'no company has this code' },
  pictureRefused: {
    code: -424,
    zh: '图片不能使用：需要 jpg 或 png，不超过 100 KB，边长不超过 1024',
    en: 'the picture cannot be used: jpg or png, at most 100 KB and 1024 pixels each way',
  },
  signInRejected: { code: -430, zh: '登录被拒绝', en: 'sign-in rejected' },
  signInAbnormal: { code: -431, zh: '登录异常', en: 'sign-in abnormal' },
  providerUnavailable: {
    code: -432,
    zh: '登录提供方暂时没有响应，请稍后再试',
    en: 'the sign-in provider does not answer at the moment: try again later',
  },
  identityNotJoined: {
    code: -433,
    zh: '这个账号名已属于另一个账号，请联系管理员确认关联',
    en: 'this account name belongs to another account: ask an administrator to join the two',
  },
  passkeyRefused: {
    code: -434,
    zh: '通行密钥不能用于登录，请重试或改用其他方式',
    en: 'the passkey was not accepted: try again, or sign in another way',
  },
  licenceRefused: {
    code: -435,
    zh: '授权文件不能使用',
    en: 'the licence file cannot be used',
  },
  notActivated: { code: -436, zh: '系统未激活或已过期', en: 'server not activated (or expired)' },
  accessRefused: {
    code: -437,
    zh: '公司的访问规则不允许现在从这里登录或访问',
    en: 'the access rules of the company do not allow this, from here and at this time',
  },
  accessReadOnly: {
    code: -438,
    zh: '按公司的访问规则，在这里只能查看',
    en: 'by the access rules of the company, you can only read here',
  },
  maintenance: { code: -439, zh: '系统维护中', en: 'the server is being maintained' },
  mailNotSetUp: { code: -440, zh: '尚未设置外发邮件服务器', en: 'no mail server is set up' },
  mailNotSent: { code: -441, zh: '邮件没有发出', en: 'the mail was not sent' },
  mailTooLarge: {
    code: -444,
    zh: '邮件附件合计不能超过 20 MB，请改用链接发送',
    en: 'the attachments of a mail are 20 MB at most: send a link instead',
  },
  smsNotSetUp: { code: -442, zh: '尚未设置短信网关', en: 'no gateway for short messages is set up' },
  smsNotSent: { code: -443, zh: '短信没有发出', en: 'the short message was not sent' },
  downloadLimit: {
    code: -460,
    zh: '今天的下载次数已用完，请明天再下载或请管理员调整限额',
    en: 'the downloads of today are used up: try tomorrow, or ask an administrator for a higher limit',
  },
  officeNotSetUp: {
    code: -470,
    zh: '尚未设置协同编辑的 Office 服务器',
    en: 'no office server for editing together is set up',
  },
  officeNotUsable: { code: -471, zh: 'Office 服务器不可用', en: 'the office server cannot be used' },
  encryptionFailed: {
    code: -472,
    zh: '加密或解密失败：文件已损坏，或不是由这台服务器加密',
    en: 'encryption failed: the file is damaged, or was not encrypted by this server',
  },
  sandboxMissing: {
    code: -473,
    zh: '沙箱不受支持或未安装',
    en: 'the sandbox is not supported or not installed',
  },
  keptByRule: {
    code: -474,
    zh: '按公司规定须保留，不能彻底删除，也不能清除其版本和评论；可以移到回收站',
    en: 'the company’s rules keep this: it can be moved to the recycle bin, but not be deleted for good, nor can its versions or comments be removed',
  },
  cancelledByAdministrator: {
    code: -495,
    zh: '管理员已取消这项任务',
    en: 'an administrator cancelled the task',
  },
  powersNotHeld: {
    code: -505,
    zh: '三项管理权须各有一位能登录的管理员',
    en: 'each of the three powers needs an administrator who can sign in',
  },
  mappingChangesMany: {
    code: -510,
    zh: '这些规则会改变较多人，请先预览并确认',
    en: 'these rules change many people: preview the changes and confirm them',
  },
  certificatePassword: { code: -485, zh: '证书文件的密码错误', en: 'wrong password of the certificate file' },
  certificateExpired: { code: -486, zh: '证书已过期或尚未生效', en: 'the certificate has expired or is not valid yet' },
  certificateRefused: { code: -487, zh: '证书不能用于签署', en: 'the certificate cannot be used to sign' },
  timeStampFailed: {
    code: -488,
    zh: '时间戳服务没有应答，暂时不能签署，请稍后再试或联系管理员',
    en: 'the time stamp service does not answer: try again later, or ask an administrator',
  },
  notInspected: {
    code: -530,
    zh: '尚未检查病毒',
    en: 'not inspected yet',
  },
  featureOff: {
    code: -531,
    zh: '功能已关闭',
    en: 'switched off',
  },
  pictureUnreadable: {
    code: -533,
    zh: '不能作为图片发送，请作为文件发送',
    en: 'it cannot be sent as a picture: send it as a file',
  },
  readOnlyLibrary: {
    code: -450,
    zh: '文档库为只读，内容不能修改',
    en: 'the library is read-only: nothing in it can be changed',
  },
} as const satisfies Record<string, Code>

/** The name of a failure code; excludes `success`. */
export type CodeName = Exclude<keyof typeof codes, 'success'>

/** The subject of a refusal: a name or field as is, or a text in both languages. */
export type Detail = string | Readonly<Record<Locale, string>>

/** Thrown when a rule refuses; the dispatcher converts it into `{ result, msg }`. */
export class ResultError extends Error {
  override readonly name = 'ResultError'
  readonly code: CodeName
  readonly detail?: Detail

  constructor(code: CodeName, detail?: Detail) {
    super(typeof detail === 'string' ? detail : (detail?.en ?? code))
    this.code = code
    if (detail !== undefined) this.detail = detail
  }
}

/** Refuses with a named code. */
export function fail(code: CodeName, detail?: Detail): never {
  throw new ResultError(code, detail)
}

const nameByNumber = new Map<number, CodeName>(
  Object.entries(codes)
    .filter(([name]) => name !== 'success')
    .map(([name, { code }]) => [code, name as CodeName]),
)

/** Returns the name of a failure code; undefined for -1 (success) and for undocumented numbers. */
export function codeOf(number: number): CodeName | undefined {
  return nameByNumber.get(number)
}

const somebody = { zh: '对方', en: 'the recipient' } as const

/** Returns the user-facing text of a result code. An undocumented code gets a generic text with the number. [R389] */
export function codeText(number: number, locale: Locale, values: { readonly name?: string } = {}): string {
  if (number === codes.success.code) return codes.success[locale]
  const name = codeOf(number)
  if (name === undefined) return locale === 'zh' ? `未知错误（${number}）` : `unknown error (${number})`
  return codes[name][locale].replace('{name}', () => values.name ?? somebody[locale])
}

/** Returns the text for `msg`: like `codeText`, but distinguishes codes that share a documented text. [X20] */
export function codeMessage(name: CodeName, locale: Locale): string {
  const entry: Code = codes[name]
  return entry.msg?.[locale] ?? codeText(entry.code, locale)
}

const identityExpired = { zh: '未登录或身份已过期', en: 'not logged in or identity expired' } as const

const httpTexts: Readonly<Record<number, Readonly<Record<Locale, string>>>> = {
  266: identityExpired,
  400: { zh: '请求参数错误', en: 'bad parameters' },
  401: identityExpired,
  404: { zh: '不存在', en: 'not found' },
  455: { zh: '系统未激活或已过期', en: 'server not activated (or expired)' },
  500: { zh: '服务器内部错误', en: 'internal error' },
  501: { zh: '服务器不支持', en: 'not supported' },
  502: { zh: '服务器无法访问', en: 'unreachable' },
  503: { zh: '服务不可用', en: 'unavailable' },
  504: { zh: '服务器超时', en: 'timeout' },
}

/** Returns the text of an HTTP status if there is one; the others of 505-511 are a server error. [R388] */
export function httpText(status: number, locale: Locale): string | undefined {
  if (status >= 505 && status <= 511) return locale === 'zh' ? '服务器错误' : 'server error'
  return httpTexts[status]?.[locale]
}
