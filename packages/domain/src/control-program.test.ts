import { expect, test } from 'vitest'
import { isOlderVersion, localEditAddress, readLocalEditAddress } from './control-program.ts'

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

test('[R362] each of the three schemes is read as it was written, with the word of the page', () => {
  const edit = {
    ...{ server: 'https://drive.example.com:8443', code: 'c', context: '/x', token: 'word' },
    ...{ fileId: 12, fileName: '合同 #2 & 附件?.docx', version: 7, key: 'k' },
  }
  for (const way of ['edit', 'sandboxEdit', 'sandboxPreview'] as const) {
    expect(readLocalEditAddress(localEditAddress(edit, way))).toEqual({ way, edit })
  }
})

test.each([
  [
    'another scheme',
    'cloudoc-other://open?server=https%3A%2F%2Fa.example&code=&fileId=1&fileName=a&key=k&token=&version=1&context=',
  ],
  [
    'a verb of its own',
    'cloudoc-edit://delete?server=https%3A%2F%2Fa.example&code=&fileId=1&fileName=a&key=k&token=&version=1&context=',
  ],
  [
    'a parameter too many',
    'cloudoc-edit://open?server=https%3A%2F%2Fa.example&code=&fileId=1&fileName=a&key=k&token=&version=1&context=&x=1',
  ],
  [
    'one given twice',
    'cloudoc-edit://open?server=https%3A%2F%2Fa.example&code=&code=&fileId=1&fileName=a&key=k&token=&version=1&context=',
  ],
  [
    'one missing',
    'cloudoc-edit://open?server=https%3A%2F%2Fa.example&code=&fileId=1&fileName=a&key=k&token=&version=1',
  ],
  [
    'a server with a path',
    'cloudoc-edit://open?server=https%3A%2F%2Fa.example%2Fx&code=&fileId=1&fileName=a&key=k&token=&version=1&context=',
  ],
  [
    'a server with a user',
    'cloudoc-edit://open?server=https%3A%2F%2Fb%40a.example&code=&fileId=1&fileName=a&key=k&token=&version=1&context=',
  ],
  [
    'a file as server',
    'cloudoc-edit://open?server=file%3A%2F%2Fa&code=&fileId=1&fileName=a&key=k&token=&version=1&context=',
  ],
  [
    'no number',
    'cloudoc-edit://open?server=https%3A%2F%2Fa.example&code=&fileId=-1&fileName=a&key=k&token=&version=1&context=',
  ],
  [
    'broken encoding',
    'cloudoc-edit://open?server=https%3A%2F%2Fa.example&code=&fileId=1&fileName=%E4&key=k&token=&version=1&context=',
  ],
  [
    'too long',
    `cloudoc-edit://open?server=https%3A%2F%2Fa.example&code=&fileId=1&fileName=${'a'.repeat(5000)}&key=k&token=&version=1&context=`,
  ],
])('[R362] an address with %s is not opened', (_, address) => {
  expect(readLocalEditAddress(address)).toBeUndefined()
})
