// The browser of the tests speaks Chinese, as those that the product is made for first.
Object.defineProperty(navigator, 'language', { value: 'zh-CN', configurable: true })
