// The texts of all areas in both languages, for tests that show components of several areas.
import { en as adminEn } from '../src/admin/texts.en.ts'
import { zh as adminZh } from '../src/admin/texts.zh.ts'
import { en as driveEn } from '../src/drive/texts.en.ts'
import { zh as driveZh } from '../src/drive/texts.zh.ts'
import { en as editingEn } from '../src/editing/texts.en.ts'
import { zh as editingZh } from '../src/editing/texts.zh.ts'
import { en as itemsEn } from '../src/items/texts.en.ts'
import { zh as itemsZh } from '../src/items/texts.zh.ts'
import { en as organisationEn } from '../src/organisation/texts.en.ts'
import { zh as organisationZh } from '../src/organisation/texts.zh.ts'
import { en as sharingEn } from '../src/sharing/texts.en.ts'
import { zh as sharingZh } from '../src/sharing/texts.zh.ts'
import { en as systemEn } from '../src/system/texts.en.ts'
import { zh as systemZh } from '../src/system/texts.zh.ts'
import { en as transferEn } from '../src/transfer/texts.en.ts'
import { zh as transferZh } from '../src/transfer/texts.zh.ts'
import { en as viewingEn } from '../src/viewing/texts.en.ts'
import { zh as viewingZh } from '../src/viewing/texts.zh.ts'

export const zh = {
  ...adminZh,
  ...driveZh,
  ...editingZh,
  ...itemsZh,
  ...organisationZh,
  ...sharingZh,
  ...systemZh,
  ...transferZh,
  ...viewingZh,
}
export const en = {
  ...adminEn,
  ...driveEn,
  ...editingEn,
  ...itemsEn,
  ...organisationEn,
  ...sharingEn,
  ...systemEn,
  ...transferEn,
  ...viewingEn,
}
