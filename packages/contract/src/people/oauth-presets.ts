// Starting values for providers of OAuth 2.0: addresses and names as the providers document them. Their ids are those
// that a person keeps in all applications of the company. Only the page of providers loads them.
import type { OAuthSettings } from './providers.ts'

const plain: OAuthSettings = {
  kind: 'oauth',
  ...{ authorizeUrl: '', clientId: '', scope: '', clientIdParam: 'client_id', codeParam: 'code', pkce: true },
  ...{ appTokenUrl: '', appTokenSends: 'json', appIdParam: 'app_id', appSecretParam: 'app_secret' },
  appTokenPath: 'app_access_token',
  ...{ tokenUrl: '', tokenAuth: 'post', tokenIdParam: 'client_id', tokenSecretParam: 'client_secret' },
  ...{ tokenGrantParam: 'grant_type', tokenPath: 'access_token' },
  ...{ userUrl: '', userTokenIn: 'bearer', userTokenName: 'access_token', profileUrl: '', profileIdParam: 'userid' },
  ...{ errorPath: '', errorGood: '0', idClaim: 'id', companyClaim: '', company: '' },
  ...{ accountClaim: '', nameClaim: 'name', mailClaim: '', phoneClaim: '', titleClaim: '' },
  ...{ departmentClaim: '', groupsClaim: '', rules: [], applies: false, absentIsNone: false },
  ...{ domains: [], creates: true, trustsFactor: false },
}

export const oauthPresets = {
  plain,
  /** Web login of an application of the company; its AgentId ends the address. The code goes to the user-info address. */
  wecom: {
    ...plain,
    authorizeUrl: 'https://login.work.weixin.qq.com/wwlogin/sso/login?login_type=CorpApp&agentid=',
    ...{ clientIdParam: 'appid', pkce: false },
    appTokenUrl: 'https://qyapi.weixin.qq.com/cgi-bin/gettoken',
    ...{ appTokenSends: 'query', appIdParam: 'corpid', appSecretParam: 'corpsecret', appTokenPath: 'access_token' },
    userUrl: 'https://qyapi.weixin.qq.com/cgi-bin/auth/getuserinfo',
    userTokenIn: 'query',
    profileUrl: 'https://qyapi.weixin.qq.com/cgi-bin/user/get',
    ...{
      errorPath: 'errcode',
      idClaim: 'userid',
      accountClaim: 'userid',
      mailClaim: 'biz_mail',
      titleClaim: 'position',
    },
  },
  /** Anybody who uses DingTalk can answer: the company is compared. */
  dingtalk: {
    ...plain,
    authorizeUrl: 'https://login.dingtalk.com/oauth2/auth?prompt=consent',
    ...{ scope: 'openid corpid', codeParam: 'authCode', pkce: false },
    tokenUrl: 'https://api.dingtalk.com/v1.0/oauth2/userAccessToken',
    ...{ tokenAuth: 'json', tokenIdParam: 'clientId', tokenSecretParam: 'clientSecret' },
    ...{ tokenGrantParam: 'grantType', tokenPath: 'accessToken' },
    userUrl: 'https://api.dingtalk.com/v1.0/contact/users/me',
    ...{ userTokenIn: 'header', userTokenName: 'x-acs-dingtalk-access-token', errorPath: 'errcode', errorGood: '' },
    ...{ idClaim: 'unionId', companyClaim: 'token.corpId', nameClaim: 'nick', phoneClaim: 'mobile' },
  },
  feishu: {
    ...plain,
    authorizeUrl: 'https://accounts.feishu.cn/open-apis/authen/v1/authorize',
    tokenUrl: 'https://open.feishu.cn/open-apis/authen/v2/oauth/token',
    tokenAuth: 'json',
    userUrl: 'https://open.feishu.cn/open-apis/authen/v1/user_info',
    ...{ errorPath: 'code', idClaim: 'data.union_id', accountClaim: 'data.user_id', nameClaim: 'data.name' },
    ...{ mailClaim: 'data.enterprise_email', phoneClaim: 'data.mobile' },
  },
} as const satisfies Readonly<Record<string, OAuthSettings>>
