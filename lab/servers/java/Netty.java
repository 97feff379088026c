package load;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A proxy that keeps the last bodies in Netty's direct buffers, and some of the JDK's own: the
 * arguments are MiB of each.
 */
public final class Netty {
    private static final int MIB = 1 << 20;
    private static final ArrayDeque<ByteBuf> kept = new ArrayDeque<>();
    private static final List<ByteBuffer> own = new ArrayList<>();
    private static long bytes;

    public static void main(String[] args) throws Exception {
        int most = Integer.parseInt(args[0]);
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(MIB);
            for (int at = 0; at < MIB; at += 4096) {
                buffer.put(at, (byte) 1);
            }
            own.add(buffer);
        }
        new ServerBootstrap()
            .group(new NioEventLoopGroup(2))
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
            .childHandler(new ChannelInitializer<SocketChannel>() {
                @Override
                protected void initChannel(SocketChannel channel) {
                    channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(MIB), new Keep(most * (long) MIB));
                }
            })
            .bind("127.0.0.1", 18080).sync().channel().closeFuture().sync();
    }

    private static synchronized void keep(ByteBuf body, long most) {
        kept.add(body);
        bytes += body.readableBytes();
        while (bytes > most) {
            ByteBuf oldest = kept.remove();
            bytes -= oldest.readableBytes();
            oldest.release();
        }
    }

    private static final class Keep extends SimpleChannelInboundHandler<FullHttpRequest> {
        private final long most;

        Keep(long most) {
            this.most = most;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            keep(context.alloc().directBuffer(request.content().readableBytes()).writeBytes(request.content()), most);
            DefaultFullHttpResponse answer =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER);
            answer.headers().set(HttpHeaderNames.CONTENT_LENGTH, 0);
            context.writeAndFlush(answer);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            cause.printStackTrace();
            context.close();
        }
    }
}
