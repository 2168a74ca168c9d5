import { describe, expect, test } from 'vitest'
import { en as driveEn, zh as driveZh } from '../../../test/all-texts.ts'
import type { Translate } from '../../core/i18n/i18n.ts'
import { remainingText } from './speedometer.ts'
import { kindOf, transferKinds } from './states.ts'
import {
  advanced,
  defaultUploadParams,
  failedRestarted,
  fileArrived,
  fileFailed,
  newTask,
  paused,
  restarted,
  settle,
  type TransferTask,
} from './task.ts'

const begun = (over: Partial<TransferTask> = {}): TransferTask => ({
  ...newTask(
    {
      description: 'a.txt 等 3 个',
      totalSize: 300,
      type: 'upload',
      folderId: 7,
      cloudPath: '华东大区',
      totalFileCount: 3,
      firstName: 'a.txt',
      isFolder: false,
      params: defaultUploadParams,
    },
    1000,
  ),
  taskId: 1,
  ...over,
})

describe('the record of a transfer', () => {
  // [R193] The record of a transfer with its fields, progress 0 to 1000.
  // [R197] A task starts with the documented fields and values.
  test('has the fields of the documents with their values at the start [R193] [R197] [R357]', () => {
    expect(begun()).toMatchObject({
      taskId: 1,
      description: 'a.txt 等 3 个',
      totalSize: 300,
      progress: 0,
      speed: 0,
      type: 'upload',
      status: 'doing',
      createTime: 1000,
      completedTime: 0,
      localPath: '',
      folderId: 7,
      cloudPath: '华东大区',
      sameNameFiles: [],
      sameFileWay: '',
      totalFileCount: 3,
      successFileCount: 0,
      errorFileCount: 0,
      errorFiles: [],
      showProgress: 'true',
      isOnlineEdit: false,
      downloadWithSandbox: false,
      spendTime: 0,
      params: { serverId: 0, secretLevel: 0, duration: 0, unit: 0 },
    })
  })

  // [R194] A transfer starts, pauses, resumes, completes with 1000, retries failures, and is removed.
  test('is completed with 1000 when total = done + error, and not before [R194]', () => {
    const two = fileFailed(fileArrived(begun(), false), { name: 'b', error: 'noPermission' })
    expect(settle(two, 5)).toBe(two)
    expect(settle(fileArrived(two, true), 5)).toMatchObject({
      status: 'completed',
      progress: 1000,
      completedTime: 5,
      successFileCount: 2,
      errorFileCount: 1,
      errorFiles: [{ name: 'b', error: 'noPermission' }],
      instantFileCount: 1,
    })
  })

  test('rests with the time it took, goes on, and is not completed while it rests [R194]', () => {
    const rests = paused(begun({ spendTime: 40, speed: 9 }), 60)
    expect(rests).toMatchObject({ status: 'pause', spendTime: 100, speed: 0 })
    expect(settle({ ...rests, successFileCount: 3 }, 1).status).toBe('pause')
    expect(restarted(rests).status).toBe('doing')
  })

  test('sets back the counters, files and size of what failed when that is tried again [R194]', () => {
    const over = settle(fileFailed(begun({ successFileCount: 2 }), { name: 'b', error: 'network' }), 9)
    expect(failedRestarted(over, 100)).toMatchObject({
      status: 'doing',
      totalSize: 100,
      sizeBefore: 200,
      errorFileCount: 0,
      errorFiles: [],
      progress: 0,
      speed: 0,
      completedTime: 0,
      successFileCount: 2,
      totalFileCount: 3,
    })
  })

  test('goes from 0 to 999 while it is under way and never back [R193]', () => {
    const half = advanced(begun(), 150, 1)
    expect(half.progress).toBe(500)
    expect(advanced(half, 90, 1).progress).toBe(500)
    expect(advanced(half, 300, 2).progress).toBe(999)
    expect(advanced(begun({ totalSize: 0 }), 0, 1).progress).toBe(333)
  })
})

describe('what is said of a transfer', () => {
  test('the time that is left is told in the unit that people would use', () => {
    const t = ((key: string, { n }: { n: number }) => `${key} ${n}`) as Translate
    const said = (seconds: number): string => remainingText(seconds, t)
    expect([5, 59, 60, 61, 99 * 60, 99 * 60 + 1, 20 * 3600].map(said)).toEqual([
      'drive.upload.seconds 5',
      'drive.upload.seconds 59',
      'drive.upload.minutes 1',
      'drive.upload.minutes 2',
      'drive.upload.minutes 99',
      'drive.upload.hours 2',
      'drive.upload.hours 20',
    ])
  })

  // [R195] 18 kinds of transfer messages, each with advice, in both languages, and each reached by a code or a state; the
  // sandbox is refused by its own code, because there is no driver (X42).
  test('has the 18 kinds of the documents, each with words and advice in both languages [R195]', () => {
    expect(transferKinds).toHaveLength(18)
    for (const kind of transferKinds) {
      for (const texts of [driveZh, driveEn]) {
        expect(texts[`drive.transfer.kind.${kind}`]).toBeTruthy()
        expect(texts[`drive.transfer.advice.${kind}`]).toBeTruthy()
      }
    }
    expect(
      (['encryptionFailed', 'sandboxMissing', 'downloadLimit', 'watermarkDownloadLimit'] as const).map(kindOf),
    ).toEqual(['encryptionFailure', 'sandboxUnsupported', 'downloadLimit', 'watermarkDownloadLimit'])
  })

  test('names the limits of size, kind and space by their codes [R207]', () => {
    expect(
      (
        [
          'uploadSizeExceeded',
          'fileSizeExceeded',
          'folderSizeExceeded',
          'userSizeExceeded',
          'capacityNotSatisfied',
        ] as const
      ).map(kindOf),
    ).toEqual(['fileSizeLimit', 'fileSizeLimit', 'spaceShortage', 'spaceShortage', 'spaceShortage'])
    expect(kindOf('typeRestricted')).toBe('typeRestricted')
    expect(kindOf('uploadInterrupted')).toBe('connectionError')
    expect(kindOf('uploadNotFinished')).toBe('connectionError')
    expect(kindOf('sameFolder')).toBe('error')
  })
})
