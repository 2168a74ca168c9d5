import { ExchangeStatus, OperateType, SensitiveAudit, SignState } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { channelFrames, isFrame, type PushName, type PushPayload, pushes, ServerFrame, serverFrame } from './channel.ts'
import { type Push, push, reservedPushTypes } from './push.ts'

test('no two frames have the same number', () => {
  const types = Object.values({ ...pushes, ...channelFrames }).map(({ type }) => type)
  expect(new Set(types).size).toBe(types.length)
})

test('no push takes a number or a name that is reserved for another one', () => {
  const reserved: readonly (string | number)[] = Object.entries(reservedPushTypes).flat()
  const taken = Object.entries<{ readonly type: number }>({ ...pushes, ...channelFrames }).flatMap(
    ([name, { type }]) => [name, type],
  )
  expect(taken.filter((one) => reserved.includes(one))).toEqual([])
})

test('[R309] [R312] [R314] [R333] every push is delivered as the product tells it', () => {
  const deliveries = Object.entries(pushes)
    .map(([name, { type, delivery }]) => [name, type, delivery] as const)
    .toSorted((a, b) => a[1] - b[1])
  expect(deliveries).toEqual([
    ['messageReceived', 2, 'replayed'],
    ['loginElsewhere', 5, 'ephemeral'],
    ['followChange', 6, 'confirmed'],
    ['fileChange', 7, 'replayed'],
    ['folderChange', 8, 'replayed'],
    ['fileLock', 12, 'replayed'],
    ['fileUnlocked', 13, 'confirmed'],
    ['unlockApplied', 14, 'confirmed'],
    ['unlockRejected', 15, 'confirmed'],
    ['processPlayer', 20, 'confirmed'],
    ['processLauncher', 21, 'confirmed'],
    ['emailReceived', 23, 'confirmed'],
    ['authorizationApply', 35, 'confirmed'],
    ['authorizationReply', 36, 'confirmed'],
    ['sensitiveFile', 38, 'confirmed'],
    ['urgeRemind', 40, 'confirmed'],
    ['downloadAudit', 41, 'confirmed'],
    ['serverSpaceLow', 43, 'confirmed'],
    ['userOnline', 45, 'replayed'],
    ['spaceRefresh', 48, 'replayed'],
    ['shareRemind', 55, 'confirmed'],
    ['operateApplication', 57, 'confirmed'],
    ['fileSign', 58, 'confirmed'],
    ['personalSpaceLow', 62, 'confirmed'],
    ['fileExchange', 63, 'confirmed'],
    ['exchangeRulesChanged', 65, 'replayed'],
    ['fileForceUnlocked', 66, 'confirmed'],
    ['logSpaceLow', 69, 'confirmed'],
    ['noticesRead', 101, 'replayed'],
    ['followsChanged', 102, 'replayed'],
    ['virusFound', 103, 'confirmed'],
    ['fileSubmitted', 104, 'confirmed'],
    ['mailChanged', 130, 'replayed'],
    ['commentsChanged', 140, 'replayed'],
    ['commentRemind', 141, 'confirmed'],
    ['tagsChanged', 142, 'replayed'],
    ['favoritesChanged', 143, 'replayed'],
    ['linkVisited', 144, 'confirmed'],
    ['downloadsLow', 152, 'confirmed'],
    ['deviceWaiting', 157, 'confirmed'],
    ['licenceEnding', 158, 'confirmed'],
    ['leaversWaiting', 159, 'confirmed'],
    ['mappingWaiting', 165, 'confirmed'],
    ['signingCertificateEnding', 166, 'confirmed'],
    ['driveLimit', 167, 'confirmed'],
    ['settingsChanged', 200, 'replayed'],
    ['togetherChanged', 210, 'ephemeral'],
    ['moreDownloads', 211, 'confirmed'],
    ['linkReported', 212, 'confirmed'],
    ['urgeChanged', 220, 'replayed'],
    ['remindersDue', 221, 'confirmed'],
    ['talkChanged', 231, 'replayed'],
    ['talkRead', 232, 'replayed'],
    ['talkTyping', 233, 'ephemeral'],
    ['unreadMessages', 234, 'confirmed'],
    ['announcementsChanged', 240, 'replayed'],
    ['announced', 241, 'confirmed'],
    ['signChanged', 260, 'replayed'],
  ] satisfies [PushName, number, string][])
})

// [R090] Each notice has the documented fields of its group, and each that is kept has serverId and remindId.
// [R341] In part (level of somebody online is 0, since colleagues are not told levels, and parentId of a request is 0,
// since who decides need not see its folder): the documented fields of each kind.
// [R395] The notices of all 13 groups have the documented fields.
test('[R090] [R341] [R395] what the documents say of each kind is in its payload; what is kept bears serverId and remindId', () => {
  const ofItems = 'serverId fId folderId fileId parentId operate operateType fType fName parentFolderId operatorName'
  const documented: Partial<Record<PushName, string>> = {
    fileChange: ofItems,
    folderChange: ofItems,
    followChange: `${ofItems} parentFolderName operateTime pushType`,
    fileLock: 'serverId userId fileId lockTime userName',
    fileUnlocked: 'serverId fileId fileName userId userName lockTime',
    unlockApplied: 'serverId fileId fileName userId userName',
    unlockRejected: 'serverId fileId fileName userId userName',
    fileForceUnlocked: 'serverId fileId fileName userId userName lockType',
    authorizationApply:
      'authorizationId userId userName fType fId fName right createTime fileId folderId parentId operate',
    authorizationReply:
      'authorizationId userId userName fType fId fName right createTime result handleTime fileId folderId parentId operate',
    downloadAudit: 'accountId account accountName groupName count time state',
    serverSpaceLow: 'totalSpaceSize freeSpaceSize limitSpaceSize',
    spaceRefresh: 'serverId',
    userOnline: 'userId serverId userName groupName gender level accountType client job',
    shareRemind: 'docName shareType operatorName targetName fId fileId folderId parentId operate createTime',
    operateApplication:
      'applicationId applicationTitle applicationTitleType itemCount operateType nodeState handlerUserName createTime fId fileId folderId parentId operate',
    personalSpaceLow: 'percent',
    logSpaceLow: 'restSpaceSize',
    fileSubmitted: 'fName fType time parentFolderId',
    processPlayer: 'processId processState processName launcherName nodeState nodeName comment',
    processLauncher: 'processId processName launcherId launcherName nodeState',
    fileExchange: 'remindStatus notifyId approveId applyId name itemName createTime',
    urgeRemind: 'remindType notifyId userName fName createTime',
    emailReceived: 'mailId mailTime senderName mailTitle',
    sensitiveFile: 'fileId folderId fileName version state remindTime uploadName userName',
    fileSign: 'launchId activityId activityTitle activityState operatorName createTime',
    unreadMessages: 'name length push id',
  }
  for (const [name, { notice, payload }] of Object.entries<Push>(pushes)) {
    const fields = Object.keys((payload as z.ZodObject).shape)
    const said = documented[name as PushName]?.split(' ') ?? []
    expect(fields, name).toEqual(expect.arrayContaining([...said, ...(notice ? ['serverId', 'remindId'] : [])]))
  }
})

// [R092] Each code of processState, remindType, audit state, activityState, remindStatus and shareType is told by words of
// its own in both languages.
test('[R092] the states of processes, audits, signing, exchanges and shares, and the kind of a reminder are told in words', () => {
  const process = [0, 1, 2, 3, 4, 5].map((processState) =>
    pushes.processPlayer.notice.sentence({
      ...{ processState, processName: '合同', nodeName: '法务', comment: '' },
    } as PushPayload<'processPlayer'>),
  )
  const reminders = [1, 2, 3, 4, 5].map((remindType) =>
    pushes.urgeRemind.notice.sentence({
      ...{ remindType, notifyType: 1, fName: '报价.docx', handledCount: 1, receiverCount: 2 },
    } as PushPayload<'urgeRemind'>),
  )
  const audits = Object.values(SensitiveAudit).map((state) =>
    pushes.sensitiveFile.notice.sentence({ state, fileName: '名单.xlsx' } as PushPayload<'sensitiveFile'>),
  )
  const signing = Object.values(SignState).map((activityState) =>
    pushes.fileSign.notice.sentence({ activityState, activityTitle: '合同' } as PushPayload<'fileSign'>),
  )
  const exchanges = Object.values(ExchangeStatus).map((remindStatus) =>
    pushes.fileExchange.notice.sentence({
      ...{ remindStatus, approveId: remindStatus === ExchangeStatus.approved ? 1 : 0, itemName: '报价.docx' },
      ...{ itemCount: 1, networkName: '研发内网' },
    } as PushPayload<'fileExchange'>),
  )
  const shares = [0, 1].map((shareType) =>
    pushes.shareRemind.notice.sentence({
      ...{ shareType, docName: '报价.docx', operatorName: '林夏', targetName: '周宁' },
    } as PushPayload<'shareRemind'>),
  )
  for (const told of [process, reminders, audits, signing, exchanges, shares])
    for (const language of ['zh', 'en'] as const)
      expect(new Set(told.map((sentence) => sentence[language])).size).toBe(told.length)
})

// [R105] A click on a mail leads to folder-email, on a request for rights to its review, on a signing process to its
// detail, and on an operation review to the list of downloads or of links, by its operateType.
test('[R105] the address that a click on a notice leads to', () => {
  const application = { applicationId: 4, nodeState: 1 }
  expect([
    pushes.emailReceived.notice.path?.({ mailId: 3 } as PushPayload<'emailReceived'>),
    pushes.authorizationApply.notice.path?.({ authorizationId: 2 } as PushPayload<'authorizationApply'>),
    pushes.fileSign.notice.path?.({ activityId: 5, isLauncher: false } as PushPayload<'fileSign'>),
    pushes.operateApplication.notice.path?.({ ...application, operateType: 1 } as PushPayload<'operateApplication'>),
    pushes.operateApplication.notice.path?.({ ...application, operateType: 2 } as PushPayload<'operateApplication'>),
  ]).toEqual([
    '/doc/folder/email?mailId=3',
    '/doc/folder/share/auth-review?authorizationId=2',
    '/doc/folder/cooperate/sign-review?activityId=5',
    '/doc/folder/security/apply-download-review?applicationId=4',
    '/doc/folder/security/apply-link-review?applicationId=4',
  ])
})

// [R091] Each of the documented operations has a sentence of its own in both languages.
test('[R091] the operation of a notice is told by words of its own, in both languages', () => {
  const { notice } = pushes.followChange
  const told = Object.values(OperateType).map((operateType) => {
    const payload = { operateType, fName: '报价.docx' } as PushPayload<'followChange'>
    const { zh, en } = notice.sentence(payload)
    return [zh, en]
  })
  for (const language of [0, 1]) expect(new Set(told.map((both) => both[language])).size).toBe(13)
})

test('[R308] a frame is read by its number, with what its push says; another number is none', () => {
  const frame = { identity: '7', epoch: 'e', data: { serverId: 0, time: 1 } }
  const read = ServerFrame.parse({ pushType: pushes.loginElsewhere.type, ...frame })
  expect(isFrame(read, 'loginElsewhere') && read.data.time).toBe(1)
  expect(isFrame(read, 'welcome', 'shareRemind')).toBe(false)
  expect(ServerFrame.safeParse({ pushType: pushes.fileChange.type, ...frame }).success).toBe(false)
  expect(ServerFrame.safeParse({ pushType: 9999, ...frame }).success).toBe(false)
})

test('frames of a feature that the product does not have follow from its pushes', () => {
  const talk = {
    talkMessage: push({
      type: 900,
      summary: 'talk',
      delivery: 'replayed',
      payload: z.strictObject({ text: z.string() }),
    }),
  }
  const frame = { pushType: talk.talkMessage.type, identity: '7', epoch: 'e', data: { text: '好' } }
  expect(serverFrame({ ...pushes, ...talk }).parse(frame)).toEqual(frame)
  expect(ServerFrame.safeParse(frame).success).toBe(false)
})
