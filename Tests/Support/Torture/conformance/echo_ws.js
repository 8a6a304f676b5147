// An echo server on Debian's ws, with promised's paths, subprotocols and limits.
'use strict';
const http = require('http');
const { WebSocketServer } = require('/usr/share/nodejs/ws');

const server = http.createServer({ keepAliveTimeout: 5000, headersTimeout: 2000, requestTimeout: 2000,
    connectionsCheckingInterval: 250, maxHeaderSize: 8192 });
server.on('request', (request, response) => {
    request.resume();
    const path = request.url.split('?')[0];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const [status, text] = !isRead ? [405, ''] : path === '/healthz' ? [200, 'alive\n'] : [404, 'not found\n'];
    response.writeHead(status, { 'Content-Length': text.length, Allow: 'GET, HEAD' });
    response.end(request.method === 'HEAD' ? '' : text);
});

const sockets = new WebSocketServer({ server, path: '/ws', maxPayload: 65536, perMessageDeflate: false,
    handleProtocols: (asked) => [...asked].find((each) => /^promised\.v1\.(json|protobuf)$/.test(each)) || false });
sockets.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
});
server.listen(0, '127.0.0.1', () => console.log(`listening on 127.0.0.1:${server.address().port}`));
