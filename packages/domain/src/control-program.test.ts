import { expect, test } from 'vitest'
import { isOlderVersion, localEditAddress } from './control-program.ts'

test('[R362] the address of a file says the eight documented things, whatever is in its name, and no session', () => {
  const address = localEditAddress({
    ...{ server: 'https://drive.example.com', code: 'cloudoc', context: '' },
    ...{ fileId: 12, fileName: '合同 #2 & 附件?.docx', version: 7, key: 'k' },
  })
  expect(address).toMatch(/^cloudoc-edit:\/\/open\?/)
  const told =
    address
      .split('?')[1]
      ?.split('&')
      .map((pair) => pair.split('=').map(decodeURIComponent)) ?? []
  expect(Object.fromEntries(told)).toEqual({
    ...{ server: 'https://drive.example.com', code: 'cloudoc', fileId: '12', fileName: '合同 #2 & 附件?.docx' },
    ...{ key: 'k', token: '', version: '7', context: '' },
  })
})

test.each([
  ['1.9.0', '1.10.0', true],
  ['1.10.0', '1.9.9', false],
  ['1.4', '1.4.0', false],
  ['1.4', '1.4.1', true],
  ['2', '1.9', false],
  ['', '1.0', true],
  ['x', '1.0', true],
  ['1.0', '', false],
])('[R182] %s is older than %s: %s', (version, than, isOlder) => {
  expect(isOlderVersion(version, than)).toBe(isOlder)
})
