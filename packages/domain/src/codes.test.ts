import { describe, expect, test } from 'vitest'
import { type CodeName, codeMessage, codeOf, codes, codeText, fail, httpText, ResultError } from './codes.ts'

/** Document 3 §8, with the splits of X19 and X21. */
const documented: readonly (readonly [number, string])[] = [
  [0, 'unknown error'],
  [-1, 'success'],
  [-2, 'failure (server exception)'],
  [-3, 'not found'],
  [-4, 'no permission'],
  [-5, 'already exists'],
  [-6, 'illegal name'],
  [-7, 'move into a subfolder'],
  [-8, 'move into the same folder'],
  [-9, 'upload interrupted'],
  [-10, 'over the free-edition workspace count'],
  [-11, 'over single-file upload size'],
  [-13, 'interconnected server invalid'],
  [-14, 'interconnected server missing'],
  [-15, 'interconnected server not responding'],
  [-16, 'interconnected server faulty'],
  [-20, 'upload type restricted'],
  [-21, 'wrong password'],
  [-22, 'over single-file size limit'],
  [-23, 'over folder size limit'],
  [-24, 'over user size limit'],
  [-25, 'over colleague-document size limit'],
  [-26, 'wrong link password'],
  [-27, 'link download limit reached'],
  [-28, 'link expired'],
  [-29, 'upload not finished'],
  [-30, 'process launched twice'],
  [-33, 'file already in a process'],
  [-34, 'link copy protection'],
  [-35, 'version missing'],
  [-36, 'no archive folder'],
  [-39, 'file conflict'],
  [-40, 'file locked'],
  [-41, 'no edit lock'],
  [-42, 'sending too often'],
  [-43, 'invalid mobile number'],
  [-46, 'licence expired, contact the administrator'],
  [-47, 'account locked'],
  [-48, 'password does not meet requirements'],
  [-49, 'invalid device id'],
  [-50, 'device wiped'],
  [-57, 'cannot delete own account'],
  [-58, 'cannot delete the admin account'],
  [-66, 'account restricted'],
  [-67, 'authorization request already handled'],
  [-68, 'sensitive file'],
  [-69, 'not logged in'],
  [-70, 'QR login already handled'],
  [-71, 'QR login scanned'],
  [-72, 'QR login invalid'],
  [-73, 'QR login refused'],
  [-75, 'read-only folder cannot be deleted'],
  [-77, 'new password equals old'],
  [-78, 'new password equals account'],
  [-80, 'password change required'],
  [-82, 'capacity exceeded'],
  [-83, 'capacity not satisfied'],
  [-90, 'secret-level file'],
  [-91, 'account count over limit'],
  [-95, 'duplicate authorization request'],
  [-98, 'virus file'],
  [-109, 'duplicate operation'],
  [-115, 'wrong verification code'],
  [-137, 'password expired'],
  [-141, 'account disabled (frozen)'],
  [-181, 'exchanged file outside the send rules'],
  [-182, 'no right to send to {name}'],
  [-183, 'approval needed but no approver configured for the folder'],
  [-185, 'over the exchange file count'],
  [-187, 'approval needed but no approver configured for the folder'],
  [-190, 'no files in that folder'],
  [-192, 'no right to send to {name}'],
  [-200, 'converting'],
  [-201, 'conversion failed'],
  [-202, 'conversion timed out'],
  [-203, 'cell limit'],
  [-204, 'no conversion lock'],
  [-205, 'unsupported format'],
  [-206, 'source encrypted or password protected'],
  [-214, 'new password equals the guest password'],
  [-217, 'guest password invalid or expired'],
  [-220, 'guest password invalid or expired'],
  [-223, 'associated folders cannot share a name or be renamed'],
  [-228, 'paste of permissions failed because the source has none set'],
  [-238, 'system licence expired'],
  [-255, 'associated folders cannot share a name or be renamed'],
  [-256, 'file or folder name too long'],
]

const paired: readonly (readonly [CodeName, CodeName])[] = [
  ['senderNotInRule', 'receiverNotInRule'],
  ['folderWithoutApprover', 'levelWithoutApprover'],
  ['associatedSameName', 'associatedRename'],
  ['guestPasswordInvalid', 'guestPasswordExpired'],
]

const entries = Object.entries(codes)
const failures = entries.map(([name]) => name).filter((name): name is CodeName => name !== 'success')

describe('result codes', () => {
  // [R382] Codes 0 to -9, with their documented texts in both languages.
  // [R383] Codes -10 to -25, with their texts.
  // [R384] Codes -26 to -41, with their texts.
  // [R386] Codes -70 to -98, with their texts.
  // [R387] Codes -109 to -256, with their texts.
  test.each(documented)('[R382]-[R387] code %i has the documented text', (number, en) => {
    expect(entries.map(([, entry]) => entry).find((entry) => entry.code === number)?.en).toBe(en)
  })

  test('no code is there that the documents do not have, except those that are ours', () => {
    const ours = Object.entries(codes).flatMap(([name, { code }]) => (code <= -400 ? name : []))
    expect(ours).toEqual([
      'badRequest',
      'confirmDiffers',
      'storageUnavailable',
      'tooDeep',
      'holdsDeleted',
      'settingChanged',
      'settingsContradict',
      'addressNotAllowed',
      'archiveTooLarge',
      'restrictedDocument',
      'tooMany',
      'secondFactorDue',
      'secondFactorSent',
      'wrongSecondFactor',
      'secondFactorMissing',
      'companyNotFound',
      'pictureRefused',
      'signInRejected',
      'signInAbnormal',
      'providerUnavailable',
      'identityNotJoined',
      'passkeyRefused',
      'licenceRefused',
      'notActivated',
      'accessRefused',
      'accessReadOnly',
      'maintenance',
      'mailNotSetUp',
      'mailNotSent',
      'mailTooLarge',
      'smsNotSetUp',
      'smsNotSent',
      'downloadLimit',
      'officeNotSetUp',
      'officeNotUsable',
      'encryptionFailed',
      'sandboxMissing',
      'keptByRule',
      'cancelledByAdministrator',
      'powersNotHeld',
      'mappingChangesMany',
      'certificatePassword',
      'certificateExpired',
      'certificateRefused',
      'timeStampFailed',
      'notInspected',
      'featureOff',
      'pictureUnreadable',
      'readOnlyLibrary',
    ])
    const others = entries.map(([, { code }]) => code).filter((code) => code > -400)
    expect(others.toSorted((a, b) => b - a)).toEqual(documented.map(([n]) => n))
  })

  test('[R401] every code has a Chinese and an English text of its own, except the pairs of X20', () => {
    const second = new Set<string>(paired.map(([, name]) => name))
    for (const locale of ['zh', 'en'] as const) {
      const texts = entries.filter(([name]) => !second.has(name)).map(([, entry]) => entry[locale])
      expect(new Set(texts).size).toBe(texts.length)
      for (const text of texts) expect(/\p{Script=Han}/u.test(text)).toBe(locale === 'zh')
    }
  })

  test.each(paired)('[R401] %s and %s share the text and differ in msg (X20)', (a, b) => {
    for (const locale of ['zh', 'en'] as const) {
      expect(codeText(codes[a].code, locale)).toBe(codeText(codes[b].code, locale))
      expect(codeMessage(a, locale)).not.toBe(codeMessage(b, locale))
    }
  })

  test('a code without a pair says the same in msg', () => {
    expect(codeMessage('fileLocked', 'zh')).toBe('文件已被锁定')
  })

  // [R389] An unlisted code shows a generic text with its number.
  test('[R389] a number nobody documented shows a generic text with the number', () => {
    expect(codeText(-999, 'zh')).toBe('未知错误（-999）')
    expect(codeText(-999, 'en')).toBe('unknown error (-999)')
    expect(codeOf(-999)).toBeUndefined()
  })

  test('0 is an error and -1 is none', () => {
    expect(codeOf(0)).toBe('unknown')
    expect(codeOf(-1)).toBeUndefined()
    expect(codeText(-1, 'zh')).toBe('成功')
  })

  test('a name leads to its number and back', () => {
    for (const name of failures) expect(codeOf(codes[name].code)).toBe(name)
  })

  test('[R002] no text shows a raw placeholder', () => {
    for (const name of failures) {
      expect(codeText(codes[name].code, 'zh')).not.toMatch(/[{}]/)
      expect(codeMessage(name, 'en')).not.toMatch(/[{}]/)
    }
    expect(codeText(-182, 'en', { name: '$& 李' })).toBe('no right to send to $& 李')
  })

  test('fail throws the code with its detail', () => {
    expect(() => fail('alreadyExists', 'a.docx')).toThrow(ResultError)
    expect(() => fail('alreadyExists', 'a.docx')).toThrow(
      expect.objectContaining({ code: 'alreadyExists', detail: 'a.docx' }),
    )
    expect(new ResultError('notFound').message).toBe('notFound')
  })

  test('[R388] documented HTTP statuses have a text, others none', () => {
    expect(httpText(455, 'zh')).toBe('系统未激活或已过期')
    expect(httpText(266, 'en')).toBe(httpText(401, 'en'))
    expect(httpText(504, 'en')).toBe('timeout')
    for (let status = 500; status <= 511; status += 1) expect(httpText(status, 'zh')).toMatch(/\p{Script=Han}/u)
    expect(httpText(418, 'en')).toBeUndefined()
    expect(httpText(512, 'en')).toBeUndefined()
  })
})
