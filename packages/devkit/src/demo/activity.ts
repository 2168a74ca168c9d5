import type { Answer, calls } from '@cloudoc/contract'
import { groupRights, linkRights, newSensitiveRule, Right, type RightsGroup, SecretUnit } from '@cloudoc/domain'
import { type DemoLibrary, demoCompany } from './company.ts'
import { type Calling, known, type Loaded } from './load.ts'
import { bringMails } from './mails.ts'
import { signContracts } from './signings.ts'
import { talk } from './talk.ts'
import { sendRound } from './workflows.ts'

type Catalogue = typeof calls

/** A visitor admitted by a link. */
export interface Visitor {
  readonly call: Calling
  /** Uploads a file into the folder of a file-collecting link. */
  bring(folderId: number, fileName: string, text: string): Promise<void>
}

/** What the activity simulation needs in the filled company. */
export interface ActivityContext extends Loaded {
  readonly as: (account: string) => Calling
  /** Opens a link. */
  readonly visit: (linkToken: string, about: { password?: string; name?: string }) => Promise<Visitor>
  readonly now: number
}

type Item = Answer<Catalogue['getSubItemList3']>['list'][number]

const dayMs = 86_400_000
const link = linkRights
const print = { printRights: false }

/**
 * Simulates the activity of the demo users, so that every screen of the product has content: shares with a reason,
 * answered and pending requests, links in every state, comments, tags, followed items. Uses only calls that every user
 * may make. Documents that a reduced installation leaves out are skipped.
 */
export async function simulateActivity(living: ActivityContext): Promise<void> {
  for (const part of [
    organise,
    bind,
    share,
    ask,
    apply,
    urge,
    circulate,
    signAll,
    bringMails,
    converse,
    giveOut,
    writeOn,
    markItems,
    watchSpace,
    protect,
    announce,
  ])
    await part(living, demoItems(living))
}

type DemoItems = ReturnType<typeof demoItems>

/** Finds the folders and documents of the demo by path, with an account that may see them. */
function demoItems({ as, libraryRoot, ids }: ActivityContext) {
  const children = async (account: string, folderId: number): Promise<Item[]> =>
    (await as(account)('getSubItemList3', { folderId, rows: 100 })).list
  /**
   * Returns the folder at a path; undefined if it was left out. A user who sees the folder need not see its parents.
   */
  const folder = async (library: DemoLibrary, path: string): Promise<number | undefined> => {
    const account = library.kind === 'personal' ? (library.key ?? '') : 'admin'
    let at: number | undefined = await libraryRoot(library)
    for (const name of path.split('/').filter((part) => part !== '')) {
      if (at === undefined) return undefined
      at = (await children(account, at)).find(({ fType, fName }) => fType === 2 && fName === name)?.fId
    }
    return at
  }
  return {
    folder,
    user: (account: string) => known(ids.user, account),
    /** Returns the documents of a type in a folder, by name. */
    files: async (account: string, library: DemoLibrary, path: string, ext = ''): Promise<Item[]> => {
      const folderId = await folder(library, path)
      if (folderId === undefined) return []
      return (await children(account, folderId)).filter(
        ({ fType, fName }) => fType === 1 && (ext === '' || fName.endsWith(`.${ext}`)),
      )
    },
  }
}

const department = (key: string): DemoLibrary => ({ kind: 'department', key })
const company: DemoLibrary = { kind: 'company' }
const own = (account: string): DemoLibrary => ({ kind: 'personal', key: account })
const idsOf = (items: readonly (Item | undefined)[]): number[] =>
  items.flatMap((item) => (item === undefined ? [] : [item.fId]))

/** Holidays of 2026 and the weekends worked for them. */
const workDays = [
  '2026-01-01..2026-01-03 休 元旦',
  '2026-01-04 班',
  '2026-02-14 班',
  '2026-02-15..2026-02-23 休 春节',
  '2026-02-28 班',
  '2026-04-04..2026-04-06 休 清明节',
  '2026-05-01..2026-05-05 休 劳动节',
  '2026-05-09 班',
  '2026-06-19..2026-06-21 休 端午节',
  '2026-09-20 班',
  '2026-09-25..2026-09-27 休 中秋节',
  '2026-10-01..2026-10-07 休 国庆节',
  '2026-10-10 班',
] as const

/** Sets department heads, link policies and daily download limits. */
async function organise({ as, ids }: ActivityContext): Promise<void> {
  const admin = as('admin')
  await admin('setServerSetting', { company_name: demoCompany.name, work_days: [...workDays] })
  for (const { key } of demoCompany.groups) {
    const heads = demoCompany.people.filter(({ group, roles }) => group === key && roles?.includes('manager'))
    if (heads.length === 0) continue
    await admin('setGroupManagers', {
      groupId: known(ids.group, key),
      userIds: heads.map(({ account }) => known(ids.user, account)),
    })
  }
  await admin('setLinkPolicy', { subjectType: 'everybody', defaultDays: 14, longestDays: 180 })
  await admin('setLinkPolicy', {
    subjectType: 'group',
    subjectId: known(ids.group, 'east'),
    defaultDays: 7,
    longestDays: 30,
    needsApproval: true,
    userIdArray: [known(ids.user, 'zhanghao')],
  })
  await admin('setDownloadLimit', { subjectType: 'group', subjectId: known(ids.group, 'service'), perDay: 200 })
  const template = await admin('saveWatermarkTemplate', {
    templateName: '内部资料',
    text: '{company} 内部资料\n{name} {account} {time}',
  })
  await admin('setWatermarkRules', {
    watermarkRules: [{ templateId: template.templateId, target: 'level', targetId: 2 }],
  })
  for (const [tagName, colour] of [
    ['合同', 'blue'],
    ['重要', 'red'],
    ['待审核', 'orange'],
    ['已归档', 'grey'],
    ['对外', 'green'],
  ] as const) {
    await admin('saveCompanyTag', { tagName, colour })
  }
}

/** Sets secret levels, restricted documents and read-only folders. */
async function bind({ as }: ActivityContext, { files, folder }: DemoItems): Promise<void> {
  const [secret, passing, ...others] = await files('fangyuan', department('legal'), '合同归档/2026年', 'pdf')
  const legal = as('fangyuan')
  if (secret) await legal('setSecretLevel', { fileIdArray: [secret.fId], secretLevel: 2 })
  if (passing)
    await legal('setSecretLevel', { fileIdArray: [passing.fId], secretLevel: 1, duration: 3, unit: SecretUnit.month })
  const [restricted] = others
  if (restricted) await legal('setDocRestricted', { fileIdArray: [restricted.fId], restricted: true })
  const audited = await files('chenxiao', department('finance'), '审计', 'pdf')
  if (audited[0]) await as('chenxiao')('setDocRestricted', { fileIdArray: [audited[0].fId], restricted: true })
  for (const [account, at, path] of [
    ['chenxiao', department('finance'), '预算/2025年'],
    ['fangyuan', department('legal'), '合同归档/2025年'],
  ] as const) {
    const folderId = await folder(at, path)
    if (folderId !== undefined) await as(account)('setFolderReadOnly', { folderIdArray: [folderId], readOnly: true })
  }
}

/** Colleagues share documents with each other, with a message. */
async function share({ as, now }: ActivityContext, { files, folder, user }: DemoItems): Promise<void> {
  const give = async (
    account: string,
    what: { fileIdArray?: number[]; folderIdArray?: number[] },
    to: readonly string[],
    rights: RightsGroup,
    message: string,
    days?: number,
  ): Promise<void> => {
    if ((what.fileIdArray ?? []).length + (what.folderIdArray ?? []).length === 0) return
    await as(account)('shareItems', {
      ...what,
      subjects: to.map((each) => ({ subjectType: 'user', subjectId: user(each) })),
      rights: groupRights(rights, print),
      message,
      ...(days !== undefined && { expireTime: now + days * dayMs }),
    })
  }
  const budgets = await files('chenxiao', department('finance'), '预算/2026年', 'xlsx')
  await give(
    'chenxiao',
    { fileIdArray: idsOf(budgets.slice(0, 1)) },
    ['zhaoguodong', 'gaofeng', 'linxia'],
    'preview',
    '明年的预算初稿，请周五之前看一下你们部门的部分。',
    30,
  )
  const campaign = await folder(department('marketing'), '推广活动')
  await give(
    'songxue',
    { folderIdArray: campaign === undefined ? [] : [campaign] },
    ['zhanghao', 'liting'],
    'edit',
    '活动物料都放在这里，客户名单请直接补充。',
  )
  const designs = await files('tangning', department('platform'), '设计文档')
  await give(
    'tangning',
    { fileIdArray: idsOf(designs.slice(0, 2)) },
    ['jiangtao', 'dingna'],
    'download',
    '按这一版准备测试用例。',
  )
  const plans = await files('gaofeng', department('rd'), '项目管理/立项', 'pptx')
  await give(
    'gaofeng',
    { fileIdArray: idsOf(plans.slice(0, 1)) },
    ['linxia', 'chenxiao'],
    'download',
    '下周立项会的材料。',
  )
  const candidates = await files('wangmin', department('hr'), '招聘', 'docx')
  await give(
    'wangmin',
    { fileIdArray: idsOf(candidates.slice(0, 1)) },
    ['tangning', 'yangfan'],
    'preview',
    '请二位面试前看一下。',
    14,
  )
  const notes = await files('yangfan', own('yangfan'), '')
  await give(
    'yangfan',
    { fileIdArray: idsOf(notes.slice(0, 1)) },
    ['xiejun', 'panyue'],
    'edit',
    '周报我先写了，你们接着补。',
  )
  const minutes = await files('linxia', company, '会议纪要', 'docx')
  await give(
    'linxia',
    { fileIdArray: idsOf(minutes.slice(0, 1)) },
    ['zhaoguodong', 'chenxiao', 'wangmin'],
    'edit',
    '例会纪要，请补上各自部门的待办。',
  )
  const drafts = await files('linxia', own('linxia'), '工作资料')
  await give('linxia', { fileIdArray: idsOf(drafts.slice(0, 1)) }, ['liting'], 'preview', '先看个大概，定稿后再发。')
  const answers = await files('yuanli', department('service'), '知识库')
  await give(
    'yuanli',
    { fileIdArray: idsOf(answers.slice(0, 2)) },
    ['liting', 'huangbo'],
    'download',
    '客户常问的问题，拜访前可以看。',
  )
}

/** Users request rights: one request is pending, one was partly granted, one was refused. */
async function ask({ as, now, ids }: ActivityContext, { files }: DemoItems): Promise<void> {
  const contracts = await files('liting', department('legal'), '合同归档/2026年')
  const [first, second, third] = contracts.filter(({ rights }) => (rights & Right.download) === 0)
  const apply = (account: string, item: Item, comments: string): Promise<{ authorizationId: number }> =>
    as(account)('authorizationApply', { fileId: item.fId, right: Right.download, deadline: now + 30 * dayMs, comments })
  if (first) await apply('liting', first, '客户要求核对付款条款，需要下载一份。')
  if (second) {
    const { authorizationId } = await apply('huangbo', second, '续约谈判用。')
    await as('fangyuan')('authorizationApprove', {
      authorizationId,
      deadline: now + 7 * dayMs,
      comments: '可以，一周内有效，用完请删除本地副本。',
    })
  }
  if (third) {
    const { authorizationId } = await apply('zhanghao', third, '想参考一下条款的写法。')
    await as('fangyuan')('authorizationReject', { authorizationId, comments: '这份有保密约定，请用范本库里的版本。' })
  }
  const [draft] = await files('linxia', own('linxia'), '工作资料')
  if (draft) await apply('liting', draft, '出差路上没有网络，想下载一份。')
  // It was shared with her for preview only.
  const [budget] = await files('chenxiao', department('finance'), '预算/2026年', 'xlsx')
  if (budget) await apply('linxia', budget, '总经理要在董事会上引用。')
  await as('fangyuan')('setReviewStandIn', {
    userId: known(ids.user, 'shenjia'),
    from: now + 5 * dayMs,
    until: now + 12 * dayMs,
  })
}

/** Users apply for downloads of contracts that they may only look at: one waits, one was approved for three days. */
async function apply({ as }: ActivityContext, { files }: DemoItems): Promise<void> {
  const contracts = await files('liting', department('legal'), '合同归档/2026年')
  const [second, third] = contracts.filter(
    ({ rights, secretLevel }) => (rights & Right.download) === 0 && secretLevel === 0,
  )
  if (second) {
    await as('liting')('applyDownload', {
      ...{ fileIdArray: [second.fId], comment: '周五到客户现场签约，会议室没有外网。', validDays: 3, count: 3 },
      hasVersionLimit: true,
    })
  }
  if (third) {
    const { applicationId } = await as('liting')('applyDownload', {
      ...{ fileIdArray: [third.fId], comment: '投标文件要附这份合同。', validDays: 7, count: 3 },
    })
    await as('fangyuan')('applyApprove', { applicationId, comment: '可以，三天内用完。', validDays: 3 })
  }
}

/**
 * Rules of the administrators: links to contracts need an approval, personal data is reviewed, contracts are on hold,
 * old temporary files are removed.
 */
async function protect({ as, ids }: ActivityContext, { folder }: DemoItems): Promise<void> {
  const reviewer = known(ids.user, 'fangyuan')
  const contracts = await folder(department('legal'), '合同归档')
  if (contracts !== undefined) {
    await as('admin')('setOperationRule', {
      ...{ name: '合同外链审批', operation: 'link', itemIds: [contracts], hours: 24, atDeadline: 'managers' },
      subjects: [{ subjectType: 'everybody', subjectId: 0 }],
      rounds: [{ by: 'people', ids: [reviewer], needs: 'one', fromLevel: 0 }],
    })
  }
  await as('admin')('saveSensitiveRule', {
    rule: {
      ...{ ...newSensitiveRule, name: '客户个人信息', uninspected: 'none' },
      patterns: [
        { pattern: 'idCard', atLeast: 1 },
        { pattern: 'bankCard', atLeast: 1 },
      ],
      reviewers: [{ subjectType: 'user', subjectId: reviewer }],
    },
  })
  if (contracts !== undefined) {
    await as('admin')('placeHold', {
      ...{ name: '江南渠道合同纠纷', number: '2026-案-017', told: true, itemIdArray: [contracts] },
      reason: '对方已起诉，合同及往来文件在结案前全部保留。',
    })
  }
  await as('admin')('saveRetentionRule', { name: '过期的临时文件', days: 1095, exts: ['tmp', 'bak'] })
}

/** One announcement is shown to everybody, one to a department, and one has ended; some people have read them. */
async function announce({ as, now, ids }: ActivityContext): Promise<void> {
  const admin = as('admin')
  const { announcementId } = await admin('saveAnnouncement', {
    ...{ title: '本周六 20:00 至 22:00 系统升级', kind: 'maintenance', endTime: now + 5 * dayMs },
    text: '升级期间只能查看，不能上传和编辑。请在 20:00 前提交正在编辑的文件。',
  })
  const { announcementId: ruleId } = await admin('saveAnnouncement', {
    ...{ title: '《文件密级管理办法》开始施行', kind: 'rule', endTime: now + 20 * dayMs, asksReading: true },
    text: '对外发送“秘密”以上的文件须经部门经理审批，详见公司文档中的制度。',
  })
  await admin('saveAnnouncement', {
    ...{ title: '研发环境迁移到新机房', endTime: now + 8 * dayMs, groupIds: [known(ids.group, 'rd')] },
    text: '代码和构建产物的地址不变。',
  })
  for (const account of ['linxia', 'zhoujing', 'wangmin', 'chenxiao'])
    await as(account)('putAnnouncementAway', { announcementId: account === 'linxia' ? announcementId : ruleId })
}

/** Users urge others about files: one urge is discussed and reminded of, one is done. */
async function urge({ as, now, ids }: ActivityContext, { files }: DemoItems): Promise<void> {
  const idOf = (account: string): number => known(ids.user, account)
  const [plan] = await files('gaofeng', department('rd'), '项目管理/立项', 'pptx')
  if (plan) {
    const { notifyId } = await as('gaofeng')('addNotify', {
      fileId: plan.fId,
      userIdArray: ['linxia', 'chenxiao'].map(idOf),
      message: '下周立项会要用，请在会前看完，有不同意见写在这里。',
      deadline: now + 3 * dayMs,
      repeatHours: 24,
      repeatUntil: now + 3 * dayMs,
    })
    await as('chenxiao')('readNotify', { notifyId })
    await as('chenxiao')('addNotifyMessage', { notifyId, message: '预算那一页按含税口径算吗？' })
    await as('gaofeng')('addNotifyMessage', { notifyId, message: '含税，和上季度一致。' })
  }
  const [draft] = await files('linxia', own('linxia'), '工作资料')
  if (draft) {
    const { notifyId } = await as('linxia')('addNotify', {
      fileId: draft.fId,
      userIdArray: [idOf('liting')],
      notifyType: 3,
      message: '定稿前想听听你的意见。',
    })
    await as('liting')('approveNotify', { notifyId, comments: '看过了，建议补一段竞品对比。' })
  }
}

/** Documents go through people by templates. */
async function circulate(living: ActivityContext, { files, folder }: DemoItems): Promise<void> {
  await sendRound(living, {
    contracts: (account) => files(account, department('east'), '合同跟进'),
    drafts: async (account) => (await files(account, own(account), '工作资料')).slice(1),
    archive: await folder(department('east'), '合同跟进'),
  })
}

/** Contracts are signed. */
async function signAll(living: ActivityContext, { files, folder }: DemoItems): Promise<void> {
  const contracts = await files('fangyuan', department('legal'), '合同归档/2025年', 'pdf')
  await signContracts(living, { files: contracts, archive: await folder(department('legal'), '合同归档/2026年') })
}

/** Holds conversations. */
async function converse(context: ActivityContext, { files }: DemoItems): Promise<void> {
  const [plan] = await files('gaofeng', department('rd'), '项目管理/立项', 'pptx')
  await talk(context, plan && { fType: 1, fId: plan.fId })
}

/** Creates links in every state, with visits. */
async function giveOut({ as, visit, now, ids }: ActivityContext, { files, folder }: DemoItems): Promise<void> {
  const [offer, ...offers] = await files('zhanghao', department('sales'), '解决方案')
  if (offer) {
    const made = await as('zhanghao')('externalCreate', {
      fileId: offer.fId,
      rights: link.preview | link.download,
      password: 'hx26',
      endTime: now + 30 * dayMs,
      downloadLimit: 20,
      note: '给华东客户的方案，口令另行发送。',
      notify: true,
    })
    const guest = await visit(made.linkToken, { password: 'hx26' })
    await guest.call('visitPreview', { linkToken: made.linkToken, fileId: offer.fId })
    await visit(made.linkToken, { password: 'hx26' })
  }
  const photos = await folder(company, '影像资料/活动照片')
  if (photos !== undefined) {
    const { linkToken } = await as('linxia')('externalCreate', {
      folderId: photos,
      rights: link.preview | link.download,
      endTime: now + 120 * dayMs,
      note: '年度大会照片，供媒体选用。',
    })
    const guest = await visit(linkToken, {})
    await guest.call('visitList', { linkToken, folderId: photos })
  }
  if (offers[0]) {
    const { externalId } = await as('zhanghao')('externalCreate', {
      fileId: offers[0].fId,
      rights: link.preview,
      password: 'a7Kd',
      endTime: now + 14 * dayMs,
      note: '报价谈定之前先停用。',
    })
    await as('zhanghao')('pauseExternal', { externalId, paused: true })
  }
  if (offers[1]) {
    const { externalId } = await as('liting')('externalCreate', {
      fileId: offers[1].fId,
      rights: link.preview,
      endTime: now + 7 * dayMs,
      note: '发错了版本。',
    })
    await as('liting')('cancelExternal', { externalId })
  }
  if (offers[2]) {
    const once = await as('zhanghao')('externalCreate', {
      fileId: offers[2].fId,
      rights: link.preview,
      endTime: now + 7 * dayMs,
      visitLimit: 1,
      note: '只看一次。',
    })
    await visit(once.linkToken, {})
  }
  if (offers[3]) {
    await as('zhanghao')('externalCreate', {
      fileId: offers[3].fId,
      rights: link.preview,
      startTime: now + 3 * dayMs,
      endTime: now + 20 * dayMs,
      note: '发布会当天开放。',
    })
  }
  const [campaign] = await files('songxue', department('marketing'), '推广活动', 'pptx')
  if (campaign) {
    await as('songxue')('externalCreate', {
      fileId: campaign.fId,
      rights: link.preview,
      endTime: now + 14 * dayMs,
      userIdArray: [known(ids.user, 'zhanghao'), known(ids.user, 'guoqiang'), known(ids.user, 'linxia')],
      note: '只给销售的两位负责人和总经理办公室。',
    })
  }
  const [followed, agreed] = await files('guoqiang', department('east'), '客户资料', 'docx')
  if (followed) {
    await as('zhengshuang')('externalCreate', {
      fileId: followed.fId,
      rights: link.preview,
      endTime: now + 5 * dayMs,
      comments: '客户想先看拜访纪要。',
    })
  }
  if (agreed) {
    const asked = await as('caiwen')('externalCreate', {
      fileId: agreed.fId,
      rights: link.preview | link.download,
      password: 'Cw26',
      endTime: now + 5 * dayMs,
      comments: '合同附件，客户法务要留档。',
    })
    const waiting = (await as('zhanghao')('getApplyList', { operateType: 2, side: 'review' })).list.find(
      ({ externalId }) => externalId === asked.externalId,
    )
    if (waiting) await as('zhanghao')('applyApprove', { applicationId: waiting.applicationId, comment: '同意。' })
  }
  const applications = await folder(department('hr'), '招聘')
  if (applications !== undefined) {
    const { folderId } = await as('liuyang')('folderCreate', { parentId: applications, folderName: '简历收集' })
    const { linkToken } = await as('liuyang')('externalCreate', {
      folderId,
      rights: link.upload,
      endTime: now + 60 * dayMs,
      note: '请把简历放在这里。',
      notify: true,
    })
    for (const name of ['张伟', '李倩', '王磊']) {
      const guest = await visit(linkToken, { name })
      await guest.bring(folderId, `${name} 简历.txt`, `${name}\r\n应聘岗位：平台研发工程师\r\n`)
    }
  }
}

/** Names versions, adds tags and comments, starts one edit. */
async function writeOn({ as }: ActivityContext, { files, user }: DemoItems): Promise<void> {
  const rules = await files('linxia', company, '规章制度')
  for (const { fId, version } of rules.filter((rule) => rule.version > 1).slice(0, 3)) {
    await as('linxia')('updateVersionComment', {
      fileId: fId,
      version: 1,
      versionName: '征求意见稿',
      comment: '发各部门征求意见',
    })
    await as('linxia')('updateVersionComment', {
      fileId: fId,
      version,
      versionName: '发布稿',
      comment: '按会议意见修改，自下月起执行',
    })
  }
  const tag = async (account: string, items: readonly (Item | undefined)[], ...names: string[]): Promise<void> => {
    const fileIdArray = idsOf(items)
    if (fileIdArray.length > 0) {
      await as(account)('setItemTags', { fileIdArray, addTags: names.map((tagName) => ({ tagName })) })
    }
  }
  const contracts = await files('fangyuan', department('legal'), '合同归档/2026年')
  const budgets = await files('chenxiao', department('finance'), '预算/2026年', 'xlsx')
  const designs = await files('yangfan', department('platform'), '设计文档')
  await tag('fangyuan', contracts, '合同')
  await tag('fangyuan', contracts.slice(0, 2), '重要')
  await tag('chenxiao', budgets.slice(0, 2), '重要', '待审核')
  await tag('yangfan', designs.slice(0, 2), '我在跟进')
  await tag('linxia', rules.slice(0, 3), '已归档')

  const talk = async (
    item: Item | undefined,
    ...said: readonly { by: string; comment: string; grade?: number; mentions?: readonly string[]; isReply?: true }[]
  ): Promise<void> => {
    if (item === undefined) return
    let first: number | undefined
    for (const { by, comment, grade, mentions = [], isReply } of said) {
      const { commentId } = await as(by)('addComment', {
        fileId: item.fId,
        comment,
        ...(grade !== undefined && { grade }),
        ...(isReply && first !== undefined && { parentCommentId: first }),
        ...(mentions.length > 0 && { userIdArray: mentions.map(user) }),
      })
      first ??= commentId
    }
  }
  await talk(
    designs[0],
    { by: 'tangning', comment: '第三节的容量估算请补上依据。', mentions: ['yangfan'] },
    { by: 'yangfan', comment: '已补，按去年的峰值乘以 1.5。', isReply: true },
    { by: 'panyue', comment: '写得很清楚，接口部分可以直接用。', grade: 5 },
  )
  await talk(
    budgets[0],
    { by: 'zhaoguodong', comment: '差旅比去年多了两成，请说明原因。', mentions: ['chenxiao'] },
    { by: 'chenxiao', comment: '新增了华东的驻点，明细在第二张表。', isReply: true, mentions: ['zhaoguodong'] },
  )
  await talk(
    rules[0],
    { by: 'linxia', comment: '以本版为准，旧版不再使用。' },
    { by: 'sunli', comment: '收到，已通知各部门。', isReply: true },
  )
  const [text] = (await files('yangfan', department('platform'), '设计文档', 'md')).slice(-1)
  if (text) {
    await as('yangfan')('fileEditLock', { fileId: text.fId })
    await as('caohui')('fileEditWait', { fileId: text.fId })
  }
  const [draft] = await files('linxia', own('linxia'), '工作资料')
  if (draft) await as('linxia')('fileEditLock', { fileId: draft.fId })
}

/** Creates favourites, followed items and saved searches. */
async function markItems({ as }: ActivityContext, { files, folder }: DemoItems): Promise<void> {
  const rules = await files('linxia', company, '规章制度')
  const minutes = await files('linxia', company, '会议纪要')
  const designs = await files('yangfan', department('platform'), '设计文档')
  const budgets = await files('chenxiao', department('finance'), '预算/2026年')
  const reports = await folder(department('office'), '经营分析')
  const weekly = await folder(department('rd'), '项目管理/周报')
  const tickets = await folder(department('service'), '工单归档')
  const given = (id?: number): number[] => (id === undefined ? [] : [id])
  for (const [account, items, folders] of [
    ['linxia', [...rules.slice(0, 2), ...minutes.slice(0, 2)], given(reports)],
    ['chenxiao', budgets.slice(0, 3), given()],
    ['yangfan', designs.slice(0, 3), given(weekly)],
    ['tianye', rules.slice(0, 2), given(tickets)],
  ] as const) {
    const chosen = { fileIdArray: idsOf(items), folderIdArray: folders }
    if (chosen.fileIdArray.length + folders.length === 0) continue
    const call = as(account)
    await call('setFavorites', { ...chosen, favorite: true })
    for (const fileId of chosen.fileIdArray) await call('noteOpened', { fileIdArray: [fileId] })
    await call('addInterest', { ...chosen, interestType: 1 })
  }
  for (const [account, name, query] of [
    ['linxia', '最近一个月的会议纪要', { keyword: '纪要', days: 30 }],
    ['chenxiao', '今年的合同', { keyword: '合同', scope: 'name', docType: 'pdf' }],
  ] as const) {
    await as(account)('saveSearch', { name, query })
  }
  await as('chenxiao')('setDigest', { every: 'weekdays' })
  const taken = idsOf(rules.slice(0, 2))
  if (taken.length > 0) await as('linxia')('addInterest', { fileIdArray: taken, interestType: 2 })
  for (const account of ['yangfan', 'linxia']) {
    const old = (await files(account, own(account), '工作资料')).at(-1)
    if (old) await as(account)('fileOrFolderDelete', { fileIdArray: [old.fId] })
  }
}

/** Brings one library and one user close to their storage limit. */
async function watchSpace({ as, ids }: ActivityContext): Promise<void> {
  const admin = as('admin')
  const { list } = await admin('getLibraries', { kind: 'department', rows: 100 })
  const tested = list.find(({ groupId }) => groupId === known(ids.group, 'qa'))
  if (tested && tested.used > 0) {
    await admin('changeLibrary', { libraryId: tested.libraryId, quota: Math.ceil(tested.used * 1.06) })
  }
}
