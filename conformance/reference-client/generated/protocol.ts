// Written by npm run generate from spec/openapi.yaml.
export const protocol = {
  "headers": {
    "authorization": "Authorization",
    "nonce": "X-Authentication",
    "token": "X-Authorization"
  },
  "challenge": {
    "status": 401,
    "scheme": "Basic"
  }
};
